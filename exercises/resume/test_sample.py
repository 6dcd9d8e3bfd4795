"""The example of the statement: one weight, momentum, and a rate that halves after each epoch."""

from judge.kit import expect, expect_close


def test_never_stopped(learner):
    """The weight of the example ends at 0.5724 after four epochs"""
    got = learner.worked_example()["never_stopped"]
    expect_close(
        got["weight"],
        0.5724,
        "After four epochs the weight is {got:.6g}, and by hand it is {expected:.6g}. One update an epoch, and the "
        "scheduler is stepped once after it.",
    )
    expect_close(
        got["losses"],
        [1.0, 0.64, 0.4489, 0.364816],
        "The four losses are not those of the example: 1, 0.64, 0.4489, 0.364816.",
    )


def test_stopped(learner):
    """Stopped after two epochs and called again with new objects, it ends at 0.5724 too"""
    got = learner.worked_example()["stopped"]
    expect_close(
        got["weight"],
        0.5724,
        "Stopped after two epochs and called again, the weight ends at {got:.6g}, and never stopped at "
        "{expected:.6g}. Something that the next epoch depends on was not in the file.",
    )
    expect_close(
        got["losses"],
        [0.4489, 0.364816],
        "The second call runs epochs 2 and 3 and returns their losses, 0.4489 and 0.364816, and no others.",
    )


def test_file(learner):
    """The file of the example loads safely, and the next epoch is 2"""
    got = learner.safe_example()
    expect(
        not got["refused"],
        "`torch.load(path, weights_only=True)` refuses the file: only tensors and plain data may be in it.",
    )
    expect_close(
        got["next"],
        2,
        "Epochs 0 and 1 are finished. `load_checkpoint` has to return {expected}, and it returned {got}.",
    )
