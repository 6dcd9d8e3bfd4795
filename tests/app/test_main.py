"""What the site is made of, and what it is not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parents[2]
PRINT_MODULES = "import sys, app.main; print(*sys.modules)"
CANNOT = ("torch", "judge.grade", "judge.sandbox", "judge.examiner", "judge.diagnose", "judge.worker")


def test_the_site_has_no_way_to_run_a_learner_s_code() -> None:
    command = [sys.executable, "-c", PRINT_MODULES]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "judge.store" in loaded
    assert [name for name in loaded if name.startswith(CANNOT)] == []


def test_files_are_cached_for_good_under_a_path_that_names_their_content(browser: TestClient) -> None:
    page = browser.get("/en/exercises/loop").text
    paths = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert len(paths) >= 4
    for path in paths:
        answer = browser.get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


def test_nothing_comes_from_elsewhere(browser: TestClient) -> None:
    for path in ("/en/", "/zh/exercises/loop", "/en/submissions"):
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', browser.get(path).text)


def test_the_bundle_carries_its_licences() -> None:
    licences = (ROOT / "app" / "static" / "editor.bundle.LICENSES.txt").read_text()
    for name in ("@codemirror/view", "@codemirror/state", "@lezer/python", "style-mod", "w3c-keyname"):
        assert name in licences
    assert licences.count("Permission is hereby granted") >= 13
