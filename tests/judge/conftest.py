"""Databases to test with: SQLite, and a PostgreSQL cluster that lives as long as the test run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from judge import database, store
from judge.migrations import migrate
from judge.presence import Workers
from tests.judge.another import Another
from tests.judge.workplace import Workplace

# Tests of one database a test, and none of power cuts.
FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c listen_addresses=''"


def _postgres_program(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parts[4])
    found = shutil.which(name) or (str(installed[-1]) if installed else None)
    assert found, f"the tests need PostgreSQL's {name}: apt-get install postgresql"
    return found


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The URL of a throw-away PostgreSQL's maintenance database, reached over a socket in its own folder."""
    folder = Path(tempfile.mkdtemp(prefix="five-lines-pg-"))  # short: a socket's path has 107 characters at most
    user = "postgres" if os.getuid() == 0 else None  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(folder, user, user)

    def command(*words: str) -> None:
        subprocess.run(words, user=user, group=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    data = folder / "data"
    command(_postgres_program("initdb"), "-D", str(data), "-U", "five", "--auth=trust", "--no-sync")
    pg_ctl = (_postgres_program("pg_ctl"), "-D", str(data), "-l", str(folder / "log"))
    command(*pg_ctl, "-w", "-o", f"{FAST} -k {folder}", "start")
    try:
        yield f"postgresql://five@/postgres?host={folder}"
    finally:
        command(*pg_ctl, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def _admin(cluster: str, statement: str) -> None:
    engine = create_engine(cluster.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fresh SQLite database, to copy."""
    folder = tmp_path_factory.mktemp("migrated")
    migrate(f"sqlite:///{folder}/five_lines.sqlite")
    return folder


@pytest.fixture(scope="session")
def migrated_postgresql(cluster: str) -> str:
    """The cluster, with a fresh database named `migrated`, to copy."""
    _admin(cluster, "CREATE DATABASE migrated")
    migrate(cluster.replace("/postgres?", "/migrated?"))
    return cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A migrated, empty database of its own for the test, once on each kind."""
    if request.param == "sqlite":
        migrated_sqlite: Path = request.getfixturevalue("migrated_sqlite")
        shutil.copytree(migrated_sqlite, tmp_path / "database")
        return f"sqlite:///{tmp_path}/database/five_lines.sqlite"
    cluster: str = request.getfixturevalue("migrated_postgresql")
    name = f"test_{os.urandom(4).hex()}"
    _admin(cluster, f"CREATE DATABASE {name} TEMPLATE migrated")
    return cluster.replace("/postgres?", f"/{name}?")


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = database.connect(url)
    yield engine
    engine.dispose()


@pytest.fixture
def learner(engine: Engine) -> int:
    return store.draw_learner()


TINY = {
    "starter.py": "def f(x):\n    ...\n",
    "solution.py": "def f(x):\n    return 2 * x\n",
    "probe.py": "def double(solution, x):\n    return solution.f(x)\n",
    "test_sample.py": "",
    "test_hidden.py": '''from judge.kit import expect


def test_doubles(learner, reference, rng):
    """It doubles"""
    x = rng.randint(1, 1000)
    expect(learner.double(x=x) == reference.double(x=x), "`f` does not double.")
''',
}


@pytest.fixture
def exercises(tmp_path: Path) -> Path:
    """A folder of exercises with one in it, `tiny`: write `f`, which doubles."""
    folder = tmp_path / "exercises" / "tiny"
    (folder / "locale").mkdir(parents=True)
    (folder / "exercise.toml").write_text('number = 1\ndifficulty = "easy"\nfunctions = ["f"]\nchapter = "data"\n')
    for name, content in TINY.items():
        (folder / name).write_text(content)
    for language in ("en", "zh"):
        (folder / f"statement.{language}.md").write_text("# Tiny\n")
        (folder / f"hints.{language}.md").write_text("Read it again.\n")
    (folder / "locale" / "zh.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    return folder.parent


@pytest.fixture
def workers(url: str) -> Iterator[Workers]:
    workers = Workers(url)
    yield workers
    workers.close()


@pytest.fixture
def another(url: str) -> Iterator[Another]:
    another = Another(url)
    yield another
    another.kill()


@pytest.fixture
def workplace(url: str, engine: Engine, exercises: Path, tmp_path: Path) -> Iterator[Workplace]:
    workplace = Workplace(url, engine, exercises, tmp_path)
    yield workplace
    workplace.close()
