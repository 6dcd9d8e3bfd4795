from __future__ import annotations

from judge.presence import Workers
from tests.judge.another import Another


def test_a_worker_takes_the_lowest_free_name(workers: Workers, another: Another) -> None:
    assert another.name == "worker-1"
    assert workers.join() == "worker-2"
    with workers.gone("worker-1") as gone:
        assert not gone
    another.kill()
    with workers.gone("worker-1") as gone:
        assert gone
    workers.check()


def test_a_dead_workers_name_is_taken_again(url: str, another: Another) -> None:
    another.kill()
    successor = Another(url)
    successor.kill()
    assert successor.name == another.name
