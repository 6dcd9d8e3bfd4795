"""The database's schema, step by step: `python -m judge.migrations` brings a database up to the newest step.

It serves the store (Alembic, `versions/`) and the queue beside it (DBOS keeps its own steps). Running it
again changes nothing.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from judge import database, queue


class NotMigrated(Exception):
    """The database is not at the step this program expects; the text says what to do."""


def config(engine: Engine) -> Config:
    """Alembic's settings for this database; there is no alembic.ini."""
    settings = Config()
    # Alembic interpolates "%" in its settings.
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.attributes["engine"] = engine
    return settings


def migrate(url: str | None = None) -> None:
    """Create or upgrade the database at `url`, or else at FIVE_LINES_DATABASE."""
    engine = database.connect(url)
    try:
        command.upgrade(config(engine), "head")
    finally:
        engine.dispose()
    queue.migrate(url)


def check(engine: Engine) -> None:
    """Raise NotMigrated unless the store is at the newest step."""
    newest = ScriptDirectory.from_config(config(engine)).get_current_head()
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current != newest:
        raise NotMigrated(f"The database is at step {current}, not {newest}: run python -m judge.migrations")
