"""What is not judged, and what the learner reads then."""

from __future__ import annotations

from contextlib import suppress

import pytest

from judge.source import MAX_SOURCE_BYTES, Rejected, check, decoded


def rejected(source: str | bytes, *functions: str) -> Rejected:
    with pytest.raises(Rejected) as caught:
        check(decoded(source.encode() if isinstance(source, str) else source), functions)
    return caught.value


def test_too_large() -> None:
    assert decoded(b"#" * MAX_SOURCE_BYTES)
    error = rejected(b"#" * (MAX_SOURCE_BYTES + 1))
    assert str(error.message) == "The file is larger than 64 KiB, and no larger one can be judged."


def test_not_utf8_names_the_line() -> None:
    error = rejected(b"a = 1\nb = 2\nc = '\xe9'\n")
    assert (error.line, str(error.message)) == (3, "Line 3 is not UTF-8 text. Save the file as UTF-8.")
    assert rejected("a = 1".encode("utf-16")).line == 1


@pytest.mark.parametrize(
    ("source", "line", "cause"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("a = 1\n  b = 2\n", 2, "unexpected indent"),
        ("a = 1\n\nreturn 3\n", 3, "'return' outside function"),
        ("x = (\n", 1, "'(' was never closed"),
        ("def f():\n    x = 1\n    global x\n", 3, "assigned to before global"),
        ("from __future__ import barry\n", 1, "not defined"),
        ("print 3\n", 1, "Missing parentheses"),
    ],
)
def test_not_python_names_line_and_cause(source: str, line: int, cause: str) -> None:
    error = rejected(source)
    assert error.line == line
    assert str(error.message).startswith(f"Line {line} is not valid Python: ")
    assert cause in str(error.message)


def test_null_bytes() -> None:
    error = rejected("a = 1\nb = '\0'\n")
    assert (error.line, str(error.message)) == (2, "The file holds a null byte, which Python does not allow.")


def test_missing_functions_are_named() -> None:
    error = rejected("def g(): ...\n", "f", "g", "h")
    assert str(error.message) == "The file does not define `f`, `h`."
    assert error.line is None


@pytest.mark.parametrize(
    "source",
    [
        "def f(): ...",
        "async def f(): ...",
        "class f: ...",
        "f = lambda: 0",
        "f: object = 1",
        "(f, g) = 1, 2",
        "f, *g = 1, 2",
        "if True:\n    f = 1",
        "try:\n    from math import f\nexcept ImportError:\n    def f(): ...",
        "import f",
        "import f.g",
        "import g as f",
        "from g import h as f",
        "from g import *",
        "for f in []: ...",
        "with g as f: ...",
        "(f := 1)",
        "match 1:\n    case f: ...",
        "@g\ndef f(): ...",
        "\ufeffdef f(): ...",
        "def f():\r\n    return 1\r\n",
        "def f():\r    return 1\r",
        "# -*- coding: latin-1 -*-\ndef f(): return 'ü'",
        "'\\d'\ndef f(): assert (1, 'always')",
    ],
)
def test_every_way_to_define_a_name_counts(source: str) -> None:
    check(decoded(source.encode()), ["f"])


@pytest.mark.parametrize(
    "source", ["def g():\n    f = 1", "class g:\n    def f(self): ...", "g = lambda: (f := 1)", "f", "x.f = 1"]
)
def test_names_that_are_not_the_files_do_not(source: str) -> None:
    rejected(source, "f")


@pytest.mark.parametrize(
    "source",
    [
        "(" * 90 + ")" * 90,
        "x = " + "[" * 5000 + "]" * 5000,
        "x = " + "-" * 3000 + "1",
        "x = " + "not " * 3000 + "1",
        "x = 1" + " + 1" * 5000,
        "x = a" + ".b" * 5000,
        "x = a" + "(b)" * 3000,
        "x = " + "lambda: " * 3000 + "1",
        "\n".join(" " * depth + "if 1:" for depth in range(99)) + "\n" + " " * 99 + "pass",
    ],
    ids=range(9),
)
def test_nested_sources_are_read_or_rejected(source: str) -> None:
    with suppress(Rejected):  # anything else, or the end of this process, would be a failure
        check(source, [])
