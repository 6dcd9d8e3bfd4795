from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine
from sqlmodel import SQLModel

from judge.migrations import migrate


def test_migrated_schema_is_the_models(engine: Engine, url: str) -> None:
    migrate(url)  # a second time changes nothing
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
