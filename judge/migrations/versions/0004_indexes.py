"""A learner's pages are made without a look at all that they have sent."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

PASSED = sa.text("status = 'passed'")


def upgrade() -> None:
    op.create_index("ix_submission_exercise", "submission", ["learner_id", "exercise", "id"])
    op.create_index("ix_verdict_passed", "verdict", ["submission_id"], sqlite_where=PASSED, postgresql_where=PASSED)


def downgrade() -> None:
    op.drop_index("ix_verdict_passed", "verdict")
    op.drop_index("ix_submission_exercise", "submission")
