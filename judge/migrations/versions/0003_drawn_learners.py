"""Learners' ids are drawn, and larger than an INTEGER of PostgreSQL. One of SQLite holds them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

COLUMNS = (("learner", "id"), ("submission", "learner_id"), ("run", "learner_id"))


def upgrade() -> None:
    _retype(sa.BigInteger())


def downgrade() -> None:
    _retype(sa.Integer())


def _retype(type_: sa.types.TypeEngine[int]) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, column in COLUMNS:
            op.alter_column(table, column, type_=type_)
