"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect_close


def test_example(learner):
    """The example's log is 5.625 and 5.0676"""
    expect_close(
        learner.worked_example()["returned"],
        [5.625, 0.9 * 5.625 + 0.1 * 0.050625],
        "The log of the example is [5.625, 5.0676]: the first loss, and then 0.9 of it and 0.1 of the second.",
    )
