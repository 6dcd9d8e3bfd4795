"""The example of the statement: one weight, 1.0, and four times the same batch."""

from judge.kit import expect, expect_close


def test_example(learner):
    """The weight of the example moves from 1.0 to about 0.9982"""
    got = learner.worked_example()
    expect_close(got["weight"], 0.998191, "The weight ends at {got:.6g}, not at {expected:.6g}.", atol=2e-5)


def test_precision_of_the_example(learner):
    """The weight of the example is a float32 afterwards"""
    got = learner.worked_example()
    expect(got["dtype"] == "float32", "The weight came as float32 and is {dtype} afterwards.", dtype=got["dtype"])
