"""Exercise folders: what is read from them, and the one line that says what is wrong with a broken one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.exercise import DEFAULT_ROOT, Broken, Exercise, Study, load_exercises, read_exercise, write_failed
from judge.limits import Limits
from tests.conftest import CASES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(CASES / "demo", tmp_path / "exercises" / "demo")


def test_all_of_a_folder(demo: Exercise) -> None:
    assert (demo.id, demo.number, demo.difficulty, demo.chapter, demo.prerequisites) == ("demo", 1, "easy", "data", ())
    assert demo.functions == ("scale", "mean", "total")
    assert demo.limits == Limits(wall_s=1.5, cpu_s=1.5, memory_mib=256, processes=0, output_kib=16, file_kib=256)
    assert (demo.title(), demo.title("zh")) == ("Three small functions", "三个小函数")
    assert demo.statement().startswith("# Three small functions\n")
    assert demo.hints() == [
        "A tensor times a number is a tensor.",
        "`sum` and `len` make a mean.",
        "`range(count)` counts from 0.",
    ]
    assert len(demo.hints("zh")) == 2
    assert "def scale" in demo.starter
    assert "x * factor" in demo.solution
    assert "test_example" in demo.sample_tests
    assert [path.name for path in demo.correct] == ["by_hand.py"]
    assert demo.translate("zh")("`scale` multiplies every element") == "`scale` 把每个元素相乘"


def test_readers_of_other_languages_get_english(demo: Exercise) -> None:
    assert demo.title("ko") == demo.title("en")
    assert demo.statement("ko") == demo.statement("en")
    assert demo.hints("ko") == demo.hints("en")
    assert demo.translate("ko")("`scale` multiplies every element") == "`scale` multiplies every element"


def test_mistakes_are_named_by_their_files(demo: Exercise) -> None:
    assert sorted(demo.mistakes) == ["adds", "counts-one-more", "in-place", "skips-first", "skips-first-backwards"]
    assert [path.name for path in demo.mistakes["skips-first"].files] == [
        "skips_first.py",
        "skips_first__by_slicing.py",
    ]
    # Only the first paragraph of the docstring is the sentence.
    assert demo.mistakes["counts-one-more"].sentence == "`mean` divides by one more than there are values."


def test_limits_have_defaults(folder: Path) -> None:
    description = (folder / "exercise.toml").read_text().partition("[limits]")[0]
    (folder / "exercise.toml").write_text(description)
    assert read_exercise(folder).limits == Limits()


def test_a_symptom_is_a_figure_in_the_reader_s_language(folder: Path, demo: Exercise) -> None:
    assert demo.symptom is None
    figure = {"kind": "lines", "data": {"series": [{"label": "`scale` multiplies every element", "values": [1, None]}]}}
    (folder / "symptom.json").write_text(json.dumps(figure))
    exercise = read_exercise(folder)
    assert exercise.symptom == exercise.symptom_in("en") == figure
    assert "`scale` 把每个元素相乘" in json.dumps(exercise.symptom_in("zh"), ensure_ascii=False)


def test_a_study_is_a_program_and_a_sentence(folder: Path, demo: Exercise) -> None:
    assert demo.study is None
    program = '"""Scales\nonce.\n\nMore of it."""\n\nprint(scale(1, 2))\n'
    (folder / "study.py").write_text(program)
    assert read_exercise(folder).study == Study("Scales once.", program)


def test_the_hash_names_the_content(folder: Path, demo: Exercise) -> None:
    assert read_exercise(folder).hash == demo.hash
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "probe.pyc").write_bytes(b"x")
    assert read_exercise(folder).hash == demo.hash
    (folder / "probe.py").write_text((folder / "probe.py").read_text() + "\n# changed\n")
    assert read_exercise(folder).hash != demo.hash


def test_failed_checks_are_kept_until_a_program_changes(folder: Path) -> None:
    exercise = read_exercise(folder)
    assert exercise.failed == {}
    write_failed(exercise, {"adds.py": ["scale"]})
    kept = read_exercise(folder)
    assert kept.failed == {"adds.py": frozenset({"scale"})}
    assert kept.hash == exercise.hash
    (folder / "statement.en.md").write_text("# Another title\n")
    assert read_exercise(folder).failed == kept.failed
    (folder / "probe.py").write_text((folder / "probe.py").read_text() + "\n# changed\n")
    assert read_exercise(folder).failed == {}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"programs": 1}', '{"programs": "x", "failed": 3}'])
def test_broken_notes_on_failed_checks_are_no_notes(folder: Path, content: str) -> None:
    (folder / "wrong" / "failed.json").write_text(content)
    assert read_exercise(folder).failed == {}


def write(name: str, content: str | bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)

    return change


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


BROKEN = [
    (remove("exercise.toml"), "exercise.toml", "missing"),
    (write("exercise.toml", "number ="), "exercise.toml", "TOML"),
    (write("exercise.toml", b"\xff"), "exercise.toml", "UTF-8"),
    (edit("exercise.toml", "number = 1", "number = 0"), "exercise.toml", "number"),
    (edit("exercise.toml", "number = 1", ""), "exercise.toml", "number"),
    (edit("exercise.toml", '"easy"', '"trivial"'), "exercise.toml", "difficulty"),
    (edit("exercise.toml", '"mean"', '"me an"'), "exercise.toml", "functions"),
    (edit("exercise.toml", 'functions = ["scale", "mean", "total"]', "functions = []"), "exercise.toml", "functions"),
    (edit("exercise.toml", "wall_s = 1.5", "wall_s = 0"), "exercise.toml", "limits.wall_s"),
    (edit("exercise.toml", "wall_s = 1.5", "wall_s = inf"), "exercise.toml", "limits.wall_s"),
    (edit("exercise.toml", "memory_mib = 256", "memory_mib = 1"), "exercise.toml", "limits.memory_mib"),
    (edit("exercise.toml", "memory_mib", "memory_mb"), "exercise.toml", "limits.memory_mb"),
    (edit("exercise.toml", "[limits]", "surprise = 1\n[limits]"), "exercise.toml", "surprise"),
    (remove("probe.py"), "probe.py", "missing"),
    (write("probe.py", "def f(:"), "probe.py", "line 1"),
    (write("test_hidden.py", "\0"), "test_hidden.py", "not valid Python"),
    (write("solution.py", b"\xff"), "solution.py", "UTF-8"),
    (remove("starter.py"), "starter.py", "missing"),
    (remove("test_sample.py"), "test_sample.py", "missing"),
    (remove("statement.zh.md"), "statement.zh.md", "missing"),
    (write("statement.en.md", ""), "statement.en.md", "title"),
    (write("statement.en.md", "No heading\n"), "statement.en.md", "title"),
    (write("statement.en.md", "# \n"), "statement.en.md", "title"),
    (remove("hints.en.md"), "hints.en.md", "missing"),
    (write("hints.zh.md", "---\n\n---\n"), "hints.zh.md", "no hint"),
    (remove("locale/zh.po"), "locale/zh.po", "missing"),
    (write("locale/zh.po", "msgid a\n"), "locale/zh.po", "zh.po"),
    (write("locale/zh.po", 'msgstr[x] "a"\n'), "locale/zh.po", "int"),
    (edit("locale/zh.po", "charset=UTF-8", "charset=nonsense"), "locale/zh.po", "unknown encoding"),
    (write("symptom.json", "{"), "symptom.json", "JSON"),
    (write("symptom.json", b"\xff"), "symptom.json", "UTF-8"),
    (write("symptom.json", '{"kind": "lines"}'), "symptom.json", "data"),
    (write("symptom.json", '{"kind": "lines", "data": {}, "more": 1}'), "symptom.json", "more"),
    (write("study.py", "def f(:"), "study.py", "line 1"),
    (write("study.py", "x = 1"), "study.py", "docstring"),
    (write("wrong/adds.py", "def f(:"), "wrong/adds.py", "line 1"),
    (write("wrong/adds.py", "x = 1"), "wrong/adds.py", "docstring"),
    (write("wrong/Adds.py", '"""A."""'), "wrong/Adds.py", "lower-case"),
    (write("wrong/other__variant.py", "x = 1"), "wrong/other__variant.py", "variant"),
]


@pytest.mark.parametrize(("change", "file", "cause"), BROKEN, ids=[f"{file}: {cause}" for _, file, cause in BROKEN])
def test_a_broken_folder_gives_file_and_cause(
    folder: Path, change: Callable[[Path], None], file: str, cause: str
) -> None:
    change(folder)
    with pytest.raises(Broken) as caught:
        read_exercise(folder)
    assert caught.value.file == file
    assert cause in caught.value.cause
    assert "\n" not in str(caught.value)


def test_a_broken_folder_takes_no_other_down(folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "second")
    (folder.parent / "second" / "probe.py").unlink()
    shutil.copytree(folder, folder.parent / "Bad Name")
    (folder.parent / "README.md").write_text("no folder")
    (folder.parent / ".hidden").mkdir()
    shelf = load_exercises([folder.parent, folder.parent / "not there"])
    assert list(shelf.exercises) == ["demo"]
    assert sorted(map(str, shelf.problems)) == [
        "Bad Name/: the folder's name must be lower-case words joined by hyphens",
        "second/probe.py: the file is missing",
    ]


def test_two_roots_with_one_id(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "others" / "demo")
    shelf = load_exercises([folder.parent, tmp_path / "others"])
    assert shelf.exercises["demo"].root == folder
    assert [problem.cause for problem in shelf.problems] == ["another folder is named demo too"]


def test_course_order_is_by_number(folder: Path) -> None:
    for name, number in (("zero", 7), ("alpha", 9), ("beta", 7)):
        other = shutil.copytree(folder, folder.parent / name)
        edit("exercise.toml", "number = 1", f"number = {number}")(other)
    assert list(load_exercises([folder.parent]).exercises) == ["demo", "beta", "zero", "alpha"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["exercise.toml", "probe.py", "hints.en.md", "statement.en.md", "locale/zh.po", "wrong/adds.py"]),
    st.binary(max_size=80) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "replace")),
)
def test_any_content_is_an_exercise_or_a_problem(folder: Path, name: str, content: bytes) -> None:
    before = (folder / name).read_bytes()
    try:
        (folder / name).write_bytes(content)
        shelf = load_exercises([folder.parent])
        assert len(shelf.exercises) + len(shelf.problems) == 1
    finally:
        (folder / name).write_bytes(before)


def test_the_projects_exercises_are_whole() -> None:
    shelf = load_exercises()
    assert shelf.problems == []
    assert set(shelf.exercises) == {folder.name for folder in DEFAULT_ROOT.iterdir() if folder.is_dir()}
