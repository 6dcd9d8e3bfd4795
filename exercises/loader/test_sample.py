"""The example of the statement. The checks after submitting ask for more, with numbers drawn anew each time."""

from judge.kit import expect, expect_close

EXAMPLE = {"values": list(range(10, 17)), "batch_size": 3}


def test_example_repeats(learner):
    """Two loaders with seed 5 give the same two epochs, which differ"""
    one, other = learner.epochs(runs=[{"seed": 5}, {"seed": 5}], count=2, **EXAMPLE)
    expect([len(batch) for batch in one[0]] == [3, 3, 1], "Seven samples in batches of 3 are batches of 3, 3 and 1.")
    expect(one == other, "Two loaders were made with seed 5 and gave different orders.")
    expect(one[0] != one[1], "Two epochs of one loader had the same order.")


def test_example_in_order(learner):
    """Without shuffling and without the last batch"""
    runs = [{"seed": 5, "shuffle": False, "drop_last": True}]
    ((epoch,),) = learner.epochs(runs=runs, count=1, **EXAMPLE)
    expect_close(
        epoch,
        [[10, 11, 12], [13, 14, 15]],
        "With shuffle=False and drop_last=True the example's batches are [10, 11, 12] and [13, 14, 15].",
    )
