from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import Engine, text

from judge.presence import Workers
from tests.judge.another import Another
from tests.processes import eventually


def test_a_worker_takes_the_lowest_free_name(workers: Workers, another: Another) -> None:
    assert another.name == "worker-1"
    assert workers.join() == "worker-2"
    with workers.gone("worker-1") as gone:
        assert not gone
    another.kill()
    assert eventually(lambda: is_gone(workers, "worker-1"))  # PostgreSQL learns a moment later that a client is dead
    workers.check()


def is_gone(workers: Workers, name: str) -> bool:
    with workers.gone(name) as gone:
        return gone


def test_a_dead_workers_name_is_taken_again(url: str, another: Another) -> None:
    another.kill()
    successor = Another(url)
    successor.kill()
    assert successor.name == another.name


def test_a_name_may_be_lost_with_the_session(engine: Engine, workers: Workers) -> None:
    workers.join()
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"))
        with pytest.raises(psycopg.OperationalError):
            workers.check()
