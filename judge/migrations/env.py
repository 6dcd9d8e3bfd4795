"""Run by Alembic with the engine that `judge.migrations.config` gave it."""

from alembic import context
from sqlalchemy import Engine
from sqlmodel import SQLModel

import judge.tables  # noqa: F401 - registers the tables

engine = context.config.attributes["engine"]
assert isinstance(engine, Engine)
with engine.connect() as connection:
    # SQLite cannot alter most of a table: Alembic then makes a new one and copies ("batch").
    context.configure(connection, target_metadata=SQLModel.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
