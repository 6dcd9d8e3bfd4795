"""What a suite's checks may ask for by name. Pytest needs them declared; `check.run_check` gives the values, since a
check runs again with other subjects when it has failed.

    learner     calls of the probe, answered by the learner's solution in a box: learner.collate(batch=...)
                learner.restart() sends the next call to a new process, learner.keep_files() lets files pass from
                process to process, learner.to_the_end.fit(...) calls in a process that may die of it
    reference   the same calls, answered by the exercise's own solution
    rng         random.Random, drawn anew for each judging and check
    seed        an int below 2**31, for whatever seeds itself
    device      "cpu" or "cuda"
    figure      figure(kind, **data): a picture on the page, in JSON
    evidence    evidence(**facts): what of a free answer tells mistakes apart
"""

import pytest

NAMES = ("learner", "reference", "rng", "seed", "device", "figure", "evidence")


def _declared(name: str) -> object:
    def declared() -> None: ...

    declared.__name__ = name
    return pytest.fixture(name=name)(declared)


globals().update({name: _declared(name) for name in NAMES})
