"""What the warm parent is shown, and what happens where it cannot be started."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from judge.sandbox import wall


def bound(arguments: list[str]) -> dict[str, str]:
    """Place -> source of all that bubblewrap would bind."""
    words = iter(arguments)
    return {
        place: source
        for word in words
        if word in ("--ro-bind", "--dev-bind", "--ro-bind-try")
        for source, place in [(next(words), next(words))]
    }


def test_only_what_a_box_needs_is_bound() -> None:
    places = bound(wall._view())
    ours = {place: source for place, source in places.items() if place.startswith("/five-lines")}
    parts = ("__init__.py", "kit", "program.py", "sandbox", "wire.py")
    assert set(ours) == {f"/five-lines/judge/{part}" for part in parts}
    elsewhere = set(places) - set(ours)
    assert all(
        place.startswith(("/usr", "/lib", "/bin", "/sbin", "/python", "/packages/", "/dev/", "/etc/ld.so"))
        for place in elsewhere
    )
    assert {place for place in elsewhere if place.startswith("/dev/")} == {
        f"/dev/{name}" for name in ("null", "full", "random", "urandom")
    }


def test_nothing_is_bound_to_be_written_to() -> None:
    assert "--bind" not in wall._view()
    assert "--remount-ro" in wall._view()


@pytest.mark.parametrize(
    ("judge", "masked"),
    [
        (Path("/usr/src/app/judge"), "/usr/src/app"),
        (Path(sys.base_prefix) / "share" / "five" / "judge", None),
        (Path("/srv/five-lines/judge"), ""),
    ],
)
def test_a_project_among_the_systems_files_is_masked(
    monkeypatch: pytest.MonkeyPatch, judge: Path, masked: str | None
) -> None:
    monkeypatch.setattr(wall, "JUDGE", judge)
    view = wall._masks()
    masks = [place for option, place in pairwise(view) if option == "--tmpfs"]
    projects = [place for place in masks if not place.startswith("/packages/")]
    if masked is None:
        prefix = sys.base_prefix if wall._system_python() else "/python"
        assert f"{prefix}/share/five" in projects
    else:
        assert projects == ([masked] if masked else [])


def test_exercises_among_the_systems_files_are_masked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(wall, "JUDGE", Path("/srv/five-lines/judge"))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path / "python"))
    (tmp_path / "python" / "share" / "exercises").mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("FIVE_LINES_EXERCISES", f"{tmp_path}/python/share/exercises:{elsewhere}:{tmp_path}/nowhere")
    masks = [place for option, place in pairwise(wall._masks()) if option == "--tmpfs"]
    assert [place for place in masks if not place.startswith("/packages/")] == ["/python/share/exercises"]


def test_how_the_project_is_installed_is_masked() -> None:
    view = wall._masks()
    for packages in wall._site_packages():
        for path in packages.glob("*five_lines*"):
            assert any(place.endswith(path.name) for place in view), path


def test_no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(wall.NoWall, match="apt-get install bubblewrap"):
        wall.launch(walled=True)


def test_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(wall.NoWall, match="not Linux"):
        wall.launch(walled=True)


def test_a_bubblewrap_that_fails_gives_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    sandbox = wall.launch(walled=True)
    try:
        with pytest.raises(wall.NoWall, match="No permissions to create a new namespace"):
            sandbox.wait_until_ready()
    finally:
        sandbox.close()
    assert not sandbox.alive()


def test_nobodys_environment_enters() -> None:
    assert not any("SECRET" in name or "FIVE_LINES" in name for name in wall._ENVIRONMENT)
    assert wall._ENVIRONMENT["HOME"] == wall._ENVIRONMENT["TMPDIR"] == "/box"
