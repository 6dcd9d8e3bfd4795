"""The example of the statement: draw, note, draw, go back, draw again."""

from judge.kit import expect

STREAMS = ("python", "numpy", "torch")


def test_seeding_repeats(learner):
    """Seeded with 7 twice, all three streams repeat"""
    one, again = learner.seeded(seeds=[7, 7], noise=1000)
    expect(
        one == again,
        "After `seed_everything(7)`, called twice, {count} of the three streams gave the same numbers.",
        count=sum(one[stream] == again[stream] for stream in STREAMS),
    )


def test_going_back(learner):
    """set_rng_state leads back to where rng_state was called"""
    got = learner.back(seed=7, noise=1000, spares=False)
    expect(
        got["there"] == got["before"],
        "After `set_rng_state`, {count} of the three streams were where they had been at `rng_state`.",
        count=sum(got["there"][stream] == got["before"][stream] for stream in STREAMS),
    )


def test_dict(learner):
    """rng_state returns a dict"""
    got = learner.snapshot(seed=7, noise=1000)
    expect(got["dict"] is True, "`rng_state` must return a dict.")
