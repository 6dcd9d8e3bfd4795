"""The example of the statement, and a short run."""

import torch

from judge.kit import expect


def test_split_of_the_example(learner):
    """Ten samples are dealt into lists of 7, 1 and 2"""
    case = {"num_samples": 10, "fractions": (0.7, 0.15, 0.15), "seed": 0, "noise": 1}
    parts = learner.splits(cases=[case])[0]["parts"]
    lists = isinstance(parts, list) and all(isinstance(part, list) for part in parts)
    expect(lists, "`split` must return three lists of indices.")
    lengths = [len(part) for part in parts]
    expect(
        lengths == [7, 1, 2],
        "The lists have {lengths} samples, not 7, 1, 2.",
        lengths=", ".join(map(str, lengths)) or "-",
    )
    expect(
        sorted(row for part in parts for row in part) == list(range(10)),
        "Each index from 0 to 9 must be in one of the lists, once.",
    )


def test_short_run(learner, device):
    """A run of three epochs returns all that was asked for"""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(200, 2, generator=generator)
    got = learner.run(
        setup={
            "x": x,
            "y": (x[:, 0] > 0).long(),
            "num_classes": 2,
            "seed": 0,
            "device": device,
            "noise": 1,
            "points": x[:5],
            "options": {"max_epochs": 3},
        }
    )
    expect(isinstance(got["returned"], list), "`run` must return a dictionary.")
    missing = [
        key
        for key in ("train_loss", "val_loss", "best_epoch", "test_accuracy", "model", "predict")
        if key not in got["returned"]
    ]
    expect(not missing, "In the dictionary there is no {missing}.", missing=", ".join(missing).replace("_", " "))
    expect(
        got["epochs"] == [0, 1, 2],
        "In three epochs `on_epoch` must be called with 0, 1 and 2; it was called {count} times.",
        count=len(got["epochs"]),
    )
    expect(
        isinstance(got["predicted"], torch.Tensor) and list(got["predicted"].shape) == [5, 2],
        "For five points and two classes `predict` must return a tensor (5, 2).",
    )
