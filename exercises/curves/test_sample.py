"""The eight epochs of the statement."""

from judge.kit import expect, expect_close

HISTORY = {
    "train_loss": [1.2, 0.8, 0.6, 0.45, 0.35, 0.3, 0.25, 0.2],
    "val_loss": [1.3, 0.9, 0.75, 0.8, 0.7, 0.72, 0.78, 0.85],
}


def test_gap_of_the_example(learner):
    """The gap of the example grows from 0.1 to 0.65"""
    (gap,) = learner.gaps(histories=[HISTORY])
    expect_close(
        gap,
        [0.1, 0.1, 0.15, 0.35, 0.35, 0.42, 0.53, 0.65],
        "The gap has to be a list: validation loss minus training loss, so 1.3 - 1.2 = 0.1 first and 0.65 last.",
    )


def test_since_of_the_example(learner):
    """With a patience of 3 the example overfits since epoch 5, with 1 since epoch 3"""
    for patience, epoch in ((3, 5), (1, 3)):
        (since,) = learner.since(histories=[HISTORY], patience=patience)
        expect(
            since == epoch and not isinstance(since, bool),
            "With patience {patience} the answer has to be {epoch}, and it is {got}.",
            patience=patience,
            epoch=epoch,
            got=since if isinstance(since, (int, float, str)) else type(since).__name__,
        )
