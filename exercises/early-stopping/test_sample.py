"""The example of the statement: eight epochs, a NaN among them."""

from judge.kit import expect, expect_close


def test_patience_of_the_example(learner):
    """With a patience of 3 the example ends after seven epochs, and with 4 it finds the last one"""
    for patience, epochs, best in ((3, 7, 3), (4, 8, 7)):
        got = learner.worked_example(patience=patience)
        expect_close(
            got["epochs"],
            epochs,
            "With patience {patience}, {got} epochs were trained, not {expected}. Count the epochs in a row that are "
            "not better than the best one so far. The NaN is not better.",
            patience=patience,
        )
        returned = got["returned"]
        expect(isinstance(returned, dict), "`fit` must return a dictionary.")
        expect_close(
            returned.get("best_epoch"),
            best,
            "With patience {patience}, `best_epoch` is {got}, not {expected}. Epochs count from 0.",
            patience=patience,
        )
        expect(
            returned.get("stopped_early") is (patience == 3),
            "With patience {patience}, `stopped_early` must be {expected}.",
            patience=patience,
            expected=patience == 3,
        )


def test_weight_of_the_example(learner):
    """After the example the model holds the weight of its best epoch"""
    got = learner.worked_example(patience=3)
    expect_close(
        got["weight"],
        4.0,
        "The weight is {got:g} and must be {expected:g}: it is 1 after epoch 0, so 4 after epoch 3, which was the best.",
    )
