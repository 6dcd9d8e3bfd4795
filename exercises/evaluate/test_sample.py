"""The example of the statement: three samples in two batches."""

from judge.kit import expect, expect_close


def test_loss_of_the_example(learner):
    """The loss of the example is 0.7936 per sample"""
    returned = learner.worked_example()["returned"]
    expect(isinstance(returned, tuple) and len(returned) == 2, "The answer must be a tuple of two floats.")
    expect_close(
        returned[0],
        0.793595,
        "The loss is {got}, not {expected:.4f}. By hand: the losses of the samples are 0.1269, 2.1269 and 0.1269.",
    )


def test_accuracy_of_the_example(learner):
    """The accuracy of the example is two thirds"""
    returned = learner.worked_example()["returned"]
    expect(isinstance(returned, tuple) and len(returned) == 2, "The answer must be a tuple of two floats.")
    expect_close(
        returned[1],
        2 / 3,
        "The accuracy is {got}, not {expected:.4f}. By hand: the first and the third sample are right.",
    )


def test_mode_of_the_example(learner):
    """The model of the example is in training mode again"""
    got = learner.worked_example()
    expect(got["after"] == got["before"], "The model came in training mode and has to be in training mode afterwards.")
