"""The example of the statement: 10 updates, 4 of them warm-up, floor 0.1, base rate 0.5."""

from judge.kit import expect_close

PLAN = {"warmup": 4, "total": 10, "floor": 0.1}


def test_factors_of_the_example(learner):
    """The factors of the example: 0.25, 1.0, 0.55, 0.1 and 0.1"""
    got = learner.factors(plan=PLAN, steps=[0, 3, 6, 9, 50])
    for step, factor, expected in zip([0, 3, 6, 9, 50], got, [0.25, 1.0, 0.55, 0.1, 0.1], strict=True):
        expect_close(
            factor,
            expected,
            "`lr_factor({step}, 4, 10, 0.1)` is {got}; it should be {expected}.",
            step=step,
            rtol=1e-5,
            atol=2e-6,
        )


def test_rates_of_the_example(learner):
    """Training the example uses the rates 0.125, 0.25, 0.375, 0.5, 0.47, ..., 0.05"""
    expected = [0.125, 0.25, 0.375, 0.5, 0.46985, 0.3875, 0.275, 0.1625, 0.08015, 0.05]
    expect_close(
        learner.worked_example(),
        expected,
        "Two epochs of five batches, base rate 0.5, warm-up over 4 updates, floor 0.1: the ten rates that come back "
        "should be 0.125, 0.25, 0.375, 0.5, 0.46985, 0.3875, 0.275, 0.1625, 0.08015 and 0.05.",
        rtol=1e-4,
        atol=1e-5,
    )
