"""Training, judged by what it leaves: weights, optimizer state, buffers and the loss returned.

Tolerances. Right programs differ in rounding and in how they guard the division when clipping (torch adds 1e-6 to the
norm): a few parts in a million of a gradient, less than 1e-5 of a weight after the updates made here. Mistakes move
weights by a hundredth and more.
"""

import torch

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}
FIVE_LINES = ("forward", "zero", "backward", "clip", "step")


def draw(rng, device, **wanted):
    """A training run: small, with a last batch of another size, some steps (not only the first) to be clipped."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "sizes": [full] * 2 + [rng.randint(2, full - 2)],
        "scales": rng.choice([[0.2, 14.0, 0.2], [14.0, 0.2, 14.0], [0.2, 14.0, 14.0]]),
        "hidden": rng.randint(4, 6),
        "dropout": 0.0,
        "batch_norm": False,
        "frozen": False,
        "optimizer": "sgd",
        "lr": rng.uniform(0.02, 0.04),
        "head_lr": rng.uniform(0.05, 0.08),
        "momentum": rng.uniform(0.6, 0.9),
        "weight_decay": rng.uniform(0.05, 0.1),
        "max_norm": rng.uniform(1.5, 2.5),
        "epochs": 2,
        "arrives": "train",
        **wanted,
    }


def trained(answer):
    """What training left in an answer: all that later steps depend on."""
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def explaining(answer):
    """What a mistake must share with the learner's run to explain it: without `backward` it is another story."""
    return {**trained(answer), "went_backward": "backward" in answer["log"]}


def number(value):
    """A loss as a number, also where it came back as a tensor: that is another check's business."""
    return float(value) if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def rows(log):
    """The events of the five lines, batch by batch; what comes before the first batch belongs to it."""
    found = [[]]
    for event in log:
        if event == "batch" and found[-1]:
            found.append([])
        elif event in FIVE_LINES:
            found[-1].append(event)
    return found


def test_each_batch_makes_its_own_update(learner, reference, rng, device, figure, evidence):
    """Each batch updates the weights once, with its own clipped gradient"""
    setup = draw(rng, device, frozen=True)
    got = learner.train(setup=setup)
    evidence(**explaining(got))
    expected = reference.train(setup=setup)
    figure("events", learner=rows(got["log"])[:3], expected=rows(expected["log"])[:3])
    expect_close(
        trained(got),
        trained(expected),
        "Two epochs of SGD with momentum do not leave the weights that they should. Each batch takes one "
        "forward pass, its own gradients, clipped together to max_norm, and one step.",
        **CLOSE,
    )


def test_dropout_batch_norm_and_adam(learner, reference, rng, device, evidence):
    """One forward pass a batch: dropout, batch norm and Adam end where they should"""
    setup = draw(
        rng, device, optimizer="adam", batch_norm=True, dropout=rng.uniform(0.2, 0.4), hidden=rng.randint(6, 8)
    )
    got = learner.train(setup=setup)
    evidence(**explaining(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With dropout, batch norm and Adam the weights, running statistics or moments are not what one "
        "forward pass and one update a batch leave.",
        **CLOSE,
    )


def test_long_gradients_are_shortened(learner, reference, rng, device, evidence):
    """A long gradient is scaled to max_norm, which is 1.0 unless given, and keeps its direction"""
    # A single update: here nothing but the clipping shows. It is a large one, so that weights grow beyond max_norm.
    setup = draw(
        rng,
        device,
        sizes=[rng.randint(4, 6)],
        scales=[rng.uniform(8.0, 12.0)],
        lr=rng.uniform(2.0, 3.0),
        head_lr=rng.uniform(3.0, 4.0),
        max_norm=None,
        epochs=1,
    )
    got = learner.train(setup=setup)
    evidence(**explaining(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With gradients much longer than max_norm the weights end elsewhere. The gradients of all "
        "parameters together are one long vector; when its length is above max_norm, one factor scales it "
        "down to max_norm.",
        **CLOSE,
    )


def test_short_gradients_are_left_alone(learner, reference, rng, device, evidence):
    """A gradient shorter than max_norm is used as it is"""
    setup = draw(rng, device, scales=[rng.uniform(0.5, 1.0)], max_norm=rng.uniform(500.0, 1000.0))
    got = learner.train(setup=setup)
    evidence(**explaining(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With max_norm far above every gradient the weights end elsewhere. Clipping only shortens: a "
        "gradient that is short enough goes into the step unchanged.",
        **CLOSE,
    )


def test_trains_in_training_mode(learner, reference, rng, device, evidence):
    """A model that comes from evaluation is trained in training mode"""
    # One epoch, and nothing to clip: here nothing but the mode shows.
    setup = draw(
        rng,
        device,
        arrives="eval",
        batch_norm=True,
        dropout=rng.uniform(0.3, 0.5),
        hidden=rng.randint(6, 8),
        max_norm=1e6,
        epochs=1,
    )
    got = learner.train(setup=setup)
    evidence(**explaining(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "The model came in eval mode, as it does after an evaluation, and did not end where training mode "
        "leads: dropout must draw, and batch norm must use each batch's own statistics and update its "
        "running ones.",
        **CLOSE,
    )


def test_loss_is_a_mean_over_samples(learner, reference, rng, device, evidence):
    """The loss returned is the mean over all samples, also when the last batch is small"""
    # With a rate of zero the weights stay, so only the way of averaging shows.
    setup = draw(rng, device, lr=0.0, head_lr=0.0, momentum=0.0, epochs=1, scales=[0.5, 1.0, 4.0])
    got = [number(loss) for loss in learner.train(setup=setup)["losses"]]
    evidence(loss=got)
    expected = [number(loss) for loss in reference.train(setup=setup)["losses"]]
    expect_close(
        got[0],
        expected[0],
        "The mean loss per sample of this epoch is {expected:.6g}; what came back is {got}. `loss_fn` "
        "gives the mean of its batch, so a batch counts as many times as it has samples, and the sum is "
        "divided by the samples of the epoch.",
        rtol=1e-4,
        atol=1e-6,
    )


def test_loss_is_that_of_the_training_passes(learner, reference, rng, device, evidence):
    """The losses averaged are those that the updates were made from"""
    setup = draw(rng, device, task="classification", batch_norm=True, dropout=0.3, lr=0.1, head_lr=0.2, max_norm=1e6)
    got = [number(loss) for loss in learner.train(setup=setup)["losses"]]
    evidence(losses=got)
    expect_close(
        got,
        [number(loss) for loss in reference.train(setup=setup)["losses"]],
        "While the weights move, the loss returned is not the mean of the losses that `backward` was "
        "called on, one forward pass for each batch.",
        rtol=1e-3,
        atol=1e-5,
    )


def test_returns_a_float(learner, rng, device, evidence):
    """The loss comes back as a Python float"""
    returned = learner.watch(setup=draw(rng, device))["returned"]
    kind = getattr(returned, "type_name", type(returned).__name__)
    evidence(kind=kind)
    expect(
        isinstance(returned, float),
        "`train_one_epoch` returned a {kind}. The mean loss must be a Python float: read it once, after "
        "the last batch.",
        kind=kind,
    )


def test_reads_one_number_an_epoch(learner, rng, device, evidence):
    """At most one number is read off the device in an epoch"""
    setup = draw(rng, device, sizes=[4, 4, 4, 3])
    log = learner.watch(setup=setup)["log"]
    reads = log.count("read")
    last_forward = max((index for index, event in enumerate(log) if event == "forward"), default=0)
    in_the_loop = "read" in log[:last_forward]
    evidence(again_and_again=reads > 1 and (in_the_loop or reads >= len(setup["sizes"])))
    expect(
        reads <= 1,
        "In an epoch of {batches} batches, numbers were read off the device {reads} times. Each time the "
        "program waits until the device has finished all work given to it. Add the losses up as a tensor "
        "and read one number at the end.",
        batches=len(setup["sizes"]),
        reads=reads,
    )


def test_keeps_no_graph(learner, rng, device, evidence):
    """No batch's graph stays in memory once its update is made"""
    setup = draw(rng, device, sizes=[3] * 6 + [2])
    got = learner.watch(setup=setup)
    # The loss and outputs of the last batches may still have a name; a graph for each batch means that they are kept.
    piles_up = got["most_graphs"] > 3
    evidence(kept=piles_up or got["graphs_left"] > 0)
    expect(
        not piles_up,
        "Before the last of {batches} batches, the graphs of {graphs} earlier ones were still in memory. "
        "What you keep of a loss must not hang on its graph: `loss.detach()` is the number alone.",
        batches=len(setup["sizes"]),
        graphs=got["most_graphs"],
    )
    expect(
        got["graphs_left"] == 0,
        "After `train_one_epoch` returned, a graph was still in memory: something that outlives the call "
        "refers to a loss, to outputs or to gradients with their graph.",
    )


def test_any_loader_and_loss(learner, reference, rng, device, evidence):
    """Any iterable of batches and any callable as loss will do"""
    setup = draw(rng, device, task="classification", optimizer="adam", max_norm=rng.uniform(500.0, 1000.0))
    got = learner.train_plainly(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train_plainly(setup=setup)),
        "With a loader that can only be iterated (no length, batches as lists) and a loss that is an "
        "ordinary function, the weights end elsewhere.",
        **CLOSE,
    )


def test_moves_the_batch_to_the_model(learner, reference, rng, device, evidence):
    """x and y are moved to the model's device"""
    # A single update, and nothing to clip: here nothing but the move shows.
    setup = draw(rng, device, sizes=[rng.randint(3, 6)], max_norm=1e6)
    got = learner.train_elsewhere(setup=setup)
    evidence(met=got["met"], **trained(got))
    expect_close(
        trained(got),
        trained(reference.train_elsewhere(setup=setup)),
        "With batches on another device than the model, the weights end elsewhere.",
        **CLOSE,
    )
    expect(
        not got["met"],
        "With the model on an accelerator and the batches on the CPU, the two met. Whatever devices there are, x and y go to "
        "the one that the model is on: ask a parameter, `next(model.parameters()).device`.",
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings and random streams are left as they were"""
    setup = draw(rng, device, frozen=True)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expected = reference.surroundings(setup=setup)
    expect_close(
        got["batches"], expected["batches"], "A batch was changed in place; the next epoch would see it changed."
    )
    expect_close(
        [got["rates"], got["trainable"]],
        [expected["rates"], expected["trainable"]],
        "A learning rate, a weight decay or a parameter's `requires_grad` is not what it was before.",
    )
    expect_close(
        got["streams"],
        expected["streams"],
        "The random streams are not where one epoch leaves them: something seeded them anew or drew from them.",
    )
    expect(
        got["free"],
        "A step that somebody makes after the epoch no longer uses its gradients as they are: something of the epoch, such "
        "as a hook, was left on the optimizer or the model.",
    )
