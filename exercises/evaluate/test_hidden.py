"""What evaluate returns and what it leaves behind.

Tolerances. Right programs differ in the order of adding and in rounding: a few parts in a million. The data are drawn so
that the usual mistakes move a loss or an accuracy by four per cent and more.

Where samples are compared with columns by mistake, torch raises unless the sizes fit: most batches here have as many
samples as there are classes, or a single one, so that this mistake too gives numbers that tell it from others.
"""

import torch

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 1e-5}


def draw(rng, device, **wanted):
    """A model without dropout and batch norm, in eval mode; three batches of one size."""
    classes = rng.randint(3, 5)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "classes": classes,
        "sizes": [classes] * 3,
        "telling": False,
        "batch_norm": False,
        "dropout": 0.0,
        "smoothing": rng.uniform(0.1, 0.2),
        "arrives": "eval",
        **wanted,
    }


def small_last_batch(rng, device):
    """The last batch has one sample, and the numbers show what was done with it."""
    classes = rng.randint(3, 5)
    return draw(rng, device, classes=classes, sizes=[classes] * rng.randint(2, 3) + [1], telling=True)


def odd_batches(rng, device):
    """Three sizes, none of them the number of classes."""
    return draw(
        rng, device, classes=4, sizes=[rng.randint(13, 19), rng.randint(2, 3), rng.randint(9, 12)], telling=True
    )


def number(value):
    """A number, also where it came back as a tensor: that is another check's business."""
    return float(value) if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def loss_and_accuracy(returned):
    """The two numbers returned."""
    kind = getattr(returned, "type_name", type(returned).__name__)
    expect(
        isinstance(returned, (tuple, list)) and len(returned) == 2,
        "`evaluate` returned {kind}. It must return two numbers, the mean loss and the accuracy.",
        kind=kind if not isinstance(returned, (tuple, list)) else f"{kind} ({len(returned)})",
    )
    return [number(value) for value in returned]


def test_loss_is_a_mean_over_samples(learner, reference, rng, device, evidence):
    """The loss is the mean over all samples, also when the last batch is small"""
    setup = small_last_batch(rng, device)
    loss = loss_and_accuracy(learner.measured(setup=setup)["returned"])[0]
    evidence(loss=loss)
    expected = reference.measured(setup=setup)["returned"][0]
    expect_close(
        loss,
        expected,
        "The mean loss per sample is {expected:.6g}; what came back is {got}. `loss_fn` gives the mean of its batch, so "
        "a batch counts as many times as it has samples, and the sum is divided by the number of all samples.",
        **CLOSE,
    )


def test_accuracy_is_a_share_of_samples(learner, reference, rng, device, evidence):
    """The accuracy is the share of all samples whose largest logit is that of their class"""
    setup = small_last_batch(rng, device)
    accuracy = loss_and_accuracy(learner.measured(setup=setup)["returned"])[1]
    evidence(accuracy=accuracy)
    expected = reference.measured(setup=setup)["returned"][1]
    expect_close(
        accuracy,
        expected,
        "The accuracy is {expected:.6g}; what came back is {got}. In each row of logits (one row a sample) the largest "
        "one is the answer. Count the right answers of all batches and divide by the number of all samples.",
        **CLOSE,
    )


def test_any_loader_and_loss(learner, reference, rng, device, evidence):
    """Any iterable of batches and any callable as loss will do"""
    setup = odd_batches(rng, device)
    loss = loss_and_accuracy(learner.measured_plainly(setup=setup))[0]
    evidence(loss=loss)
    expect_close(
        loss,
        reference.measured_plainly(setup=setup)[0],
        "With a loader that can only be iterated (no length, batches as lists) and a loss that is an ordinary function, "
        "the loss is {got} instead of {expected:.6g}.",
        **CLOSE,
    )


def test_batches_of_any_size(learner, reference, rng, device, evidence):
    """Batches may be larger or smaller than the number of classes"""
    setup = odd_batches(rng, device)
    accuracy = loss_and_accuracy(learner.measured_plainly(setup=setup))[1]
    evidence(accuracy=accuracy)
    expect_close(
        accuracy,
        reference.measured_plainly(setup=setup)[1],
        "With batches of three different sizes the accuracy is {got} instead of {expected:.6g}.",
        **CLOSE,
    )


def test_runs_in_eval_mode(learner, reference, rng, device, evidence):
    """A model that comes from training is measured in eval mode"""
    setup = draw(rng, device, batch_norm=True, dropout=rng.uniform(0.6, 0.8), arrives="train")
    loss = loss_and_accuracy(learner.measured(setup=setup)["returned"])[0]
    evidence(loss=loss)
    expect_close(
        loss,
        reference.measured(setup=setup)["returned"][0],
        "With dropout and batch norm the loss of a model in training mode is another one: dropout must let everything "
        "through, and batch norm must use its running statistics.",
        **CLOSE,
    )


def test_whole_model_in_eval_mode(learner, reference, rng, device, evidence):
    """Every submodule is measured in eval mode, whatever mode the model itself is in"""
    setup = draw(rng, device, dropout=rng.uniform(0.7, 0.8), arrives="drawing")
    loss = loss_and_accuracy(learner.measured(setup=setup)["returned"])[0]
    evidence(loss=loss)
    expect_close(
        loss,
        reference.measured(setup=setup)["returned"][0],
        "The model came in eval mode, but a dropout layer in it was in training mode and was still drawing while the "
        "loss was measured.",
        **CLOSE,
    )


def test_builds_no_graph(learner, rng, device, evidence):
    """The model runs with autograd off"""
    graph = learner.measured(setup=draw(rng, device, arrives="train"))["graph"]
    evidence(graph=graph)
    expect(
        graph is False,
        "The forward pass built a graph: all activations are kept for a backward pass that never comes. Run the model "
        "under `torch.no_grad()`.",
    )


def test_returns_two_floats(learner, rng, device, evidence):
    """Both numbers come back as Python floats"""
    returned = learner.measured(setup=draw(rng, device))["returned"]
    two = isinstance(returned, tuple) and len(returned) == 2
    values = returned if isinstance(returned, (tuple, list)) else [returned]
    evidence(two=two, tensors=any(isinstance(value, torch.Tensor) for value in values))
    expect(two, "The answer must be a tuple of two numbers: `return loss, accuracy`.")
    kinds = [getattr(value, "type_name", type(value).__name__) for value in returned]
    expect(
        all(isinstance(value, float) for value in returned),
        "`evaluate` returned ({first}, {second}). Both must be Python floats: a tensor has `.item()`.",
        first=kinds[0],
        second=kinds[1],
    )


def test_modes_are_put_back(learner, rng, device, evidence):
    """Afterwards every submodule is in the mode it was in before"""
    arrivals = ["train", "eval", "frozen norm", "frozen body", "frozen by hand", "drawing"]
    setup = draw(rng, device, batch_norm=True)
    got = learner.modes(setup=setup, arrivals=arrivals)
    flags = [pair for answer in got for pair in zip(answer["before"], answer["after"], strict=True)]
    evidence(now_training=(False, True) in flags, now_in_eval=(True, False) in flags)
    for arrives, answer in zip(arrivals, got, strict=True):
        kept = answer["after"] == answer["before"]
        if arrives == "train":
            expect(kept, "The model was in training mode and is not any more: the next epoch would train in eval mode.")
        elif arrives == "eval":
            expect(kept, "The model was in eval mode and is in training mode now: it must be left as it came.")
        else:
            expect(
                kept,
                "In this model some submodules were in training mode and others in eval mode, as frozen layers are. "
                "Now they are in other modes: note the `training` flag of every submodule and put each one back.",
            )


def test_modes_are_put_back_when_the_loader_raises(learner, rng, device, evidence):
    """When the loader raises, the modes are put back too and the error goes on"""
    setup = draw(rng, device, batch_norm=True, arrives="frozen norm")
    got = [learner.interrupted(setup=setup, after=after) for after in (-1, 0, 2)]
    reaches = [answer["errors"][:1] == ["LoaderBroke"] for answer in got]
    kept = [answer["after"] == answer["before"] for answer in got]
    evidence(reaches=all(reaches), kept=all(kept))
    expect(
        all(reaches),
        "The loader raised an error in the middle of the data, and the caller did not get that error. A loss of half "
        "the data must not pass for a result: let the error through.",
    )
    expect(
        all(kept),
        "The loader raised an error, and afterwards some submodules were in another mode than before. Whoever catches "
        "the error goes on with this model: put the modes back in a `finally`.",
    )


def test_autograd_mode_is_put_back(learner, rng, device, evidence):
    """Autograd is afterwards on or off as it was for the caller"""
    got = learner.autograd_modes(setup=draw(rng, device))
    kept = {breaks: all(a["after"] == a["before"] for a in got if a["breaks"] == breaks) for breaks in (False, True)}
    evidence(kept=kept[False], kept_when_broken=kept[True])
    expect(
        kept[False],
        "Autograd was on or off for the caller, and after the evaluation it is the other way. `with torch.no_grad():` "
        "puts it back by itself.",
    )
    expect(
        kept[True],
        "The loader raised an error, and autograd was left on or off otherwise than the caller had it. `with "
        "torch.no_grad():` puts it back by itself, whatever happens inside.",
    )


def test_model_is_untouched(learner, rng, device, evidence):
    """Parameters, buffers and gradients are left as they were"""
    setup = draw(rng, device, batch_norm=True, arrives="train")
    got = learner.belongings(setup=setup)
    before, after = got["before"], got["after"]
    none = all(gradient is None or not gradient.any() for gradient in after["gradients"])
    same = {part: _equal(after[part], before[part]) for part in before}
    evidence(cleared=none, **same)
    expect(same["buffers"], "A buffer was changed, such as a running mean of batch norm. Measuring must not move them.")
    expect(
        same["gradients"],
        "The model had gradients before, and has others or none now. They belong to whoever computed them, perhaps to "
        "the step that comes next.",
    )
    expect(
        same["weights"] and same["trainable"],
        "A parameter or its `requires_grad` was changed. An evaluation only looks at the model.",
    )


def _equal(got, expected):
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(_equal, got, expected))
    if isinstance(expected, torch.Tensor):
        return isinstance(got, torch.Tensor) and got.dtype == expected.dtype and torch.equal(got, expected)
    return got == expected


def test_empty_loader(learner, rng, device, evidence):
    """A loader without batches raises ValueError"""
    got = learner.empty(setup=draw(rng, device, batch_norm=True, arrives="frozen norm"))
    refused = all("ValueError" in answer["errors"] for answer in got)
    kept = all(answer["after"] == answer["before"] for answer in got)
    evidence(refused=refused, kept=kept)
    expect(
        refused,
        "With a loader that has no batches, `evaluate` must raise ValueError: there is no mean of nothing. The loader "
        "has no length to ask for; count the samples instead.",
    )
    expect(kept, "After a loader without batches some submodules are in another mode than before.")


def test_moves_the_batch_to_the_model(learner, reference, rng, device, evidence):
    """x and y are moved to the model's device"""
    setup = draw(rng, device)
    got = learner.measured_elsewhere(setup=setup)
    loss = loss_and_accuracy(got["answer"])[0]
    evidence(loss=loss, met=got["met"])
    expect_close(
        loss,
        reference.measured_elsewhere(setup=setup)["answer"][0],
        "With batches on another device than the model the loss is {got} instead of {expected:.6g}.",
        **CLOSE,
    )
    expect(
        not got["met"],
        "With the model on an accelerator and the batches on the CPU, the two met. Whatever devices there are, x and y go to "
        "the one that the model is on: ask a parameter, `next(model.parameters()).device`.",
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches and random streams stay as they are, and a second evaluation gives the same"""
    setup = draw(rng, device, arrives="train")
    got, expected = learner.surroundings(setup=setup), reference.surroundings(setup=setup)
    again = _equal(_numbers(got["first"]), _numbers(got["second"]))
    moved = [not _equal(one, other) for one, other in zip(got["streams"], expected["streams"], strict=True)]
    evidence(same_batches=_equal(got["batches"], expected["batches"]), moved=any(moved), again=again)
    expect_close(got["batches"], expected["batches"], "A batch was changed in place; whoever reads it next is misled.")
    expect_close(
        got["streams"],
        expected["streams"],
        "The random streams are not where they were: something seeded them anew or drew from them.",
    )
    expect(again, "A second evaluation of the same model on the same data gave other numbers than the first.")


def _numbers(returned):
    return [number(value) for value in returned] if isinstance(returned, (tuple, list)) else returned
