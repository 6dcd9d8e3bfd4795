from __future__ import annotations

import stat
from pathlib import Path

import pytest

from app.settings import from_environment, kept_secret


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret"
    secret = kept_secret(path)
    assert len(secret) >= 32
    assert kept_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["secret"]


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVE_LINES_DATABASE", "postgresql://five@/lines")
    monkeypatch.setenv("FIVE_LINES_EXERCISES", "one:two")
    monkeypatch.setenv("FIVE_LINES_SECRET", "given" * 8)
    settings = from_environment()
    assert settings.database == "postgresql://five@/lines"
    assert settings.exercises == (Path.cwd() / "one", Path.cwd() / "two")
    assert settings.secret == "given" * 8


def test_a_secret_that_can_be_guessed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIVE_LINES_SECRET", "given")
    with pytest.raises(ValueError, match="FIVE_LINES_SECRET has to have 32"):
        from_environment()
    monkeypatch.delenv("FIVE_LINES_SECRET")
    monkeypatch.setattr("app.settings.ROOT", tmp_path)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "secret").touch()  # as a power cut may leave it
    with pytest.raises(ValueError, match="made anew when you delete it"):
        from_environment()
