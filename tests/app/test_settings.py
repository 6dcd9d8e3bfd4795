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
    assert [entry.name for entry in path.parent.iterdir()] == ["secret"]


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVE_LINES_DATABASE", "postgresql://five@/lines")
    monkeypatch.setenv("FIVE_LINES_EXERCISES", "one:two")
    monkeypatch.setenv("FIVE_LINES_SECRET", "given")
    settings = from_environment()
    assert settings.database == "postgresql://five@/lines"
    assert settings.exercises == (Path.cwd() / "one", Path.cwd() / "two")
    assert settings.secret == "given"
