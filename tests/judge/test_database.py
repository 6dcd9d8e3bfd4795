from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from judge import database


def test_sqlite_is_durable_and_lets_readers_read(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            found = [
                connection.execute(text(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
        assert found == ["wal", 2, 1, database.PATIENCE_S * 1000]


def test_what_need_not_survive_a_power_cut_costs_no_fsync(tmp_path: Path) -> None:
    engine = database.connect(f"sqlite:///{tmp_path}/x.sqlite", durable=False)
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 1
    engine.dispose()


@pytest.mark.parametrize("wrong", ["mysql://host/name", "sqlite://", "sqlite:///:memory:"])
def test_other_databases_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="FIVE_LINES_DATABASE"):
        database.connect(wrong)
