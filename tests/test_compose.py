"""The compose file can be read, and every command in it starts something that exists."""

from importlib.util import find_spec
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_services_are_complete() -> None:
    assert set(COMPOSE["services"]) == {"database", "migrate", "site", "worker"}
    for name, service in COMPOSE["services"].items():
        assert "image" in service or (ROOT / service["build"]["dockerfile"]).exists(), name
        for other in service.get("depends_on", {}):
            assert other in COMPOSE["services"]


def test_commands_start_modules_of_ours() -> None:
    for name in ("migrate", "site", "worker"):
        python, flag, module, *_ = COMPOSE["services"][name]["command"]
        assert (python, flag) == ("python", "-m")
        assert find_spec(module) is not None


def test_secrets_are_not_in_the_file() -> None:
    environment = COMPOSE["services"]["site"]["environment"]
    assert environment["FIVE_LINES_SECRET"].startswith("${")
    assert "${FIVE_LINES_DATABASE_PASSWORD}" in environment["FIVE_LINES_DATABASE"]


def test_only_the_worker_may_build_walls() -> None:
    assert "cap_add" not in COMPOSE["services"]["site"]
    assert COMPOSE["services"]["site"]["cap_drop"] == ["ALL"]
    assert "FIVE_LINES_SECRET" not in COMPOSE["services"]["worker"]["environment"]
