"""The repaired run, judged by what it leaves and by the modes in which its forward passes ran.

Tolerances. Right programs differ in rounding alone: less than 1e-5 of a weight after the few updates made here. A pass
in the wrong mode moves weights and running statistics by a hundredth and more.
"""

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}


def draw(rng, device, **wanted):
    """A short run with dropout and batch norm; both loaders end with a smaller batch."""
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "sizes": [rng.randint(6, 8)] * 2 + [rng.randint(3, 5)],
        "val_sizes": [rng.randint(6, 8), rng.randint(3, 5)],
        "hidden": rng.randint(6, 8),
        "dropout": rng.uniform(0.3, 0.5),
        "lr": rng.uniform(0.1, 0.2),
        "epochs": 3,
        "arrives": "train",
        **wanted,
    }


def trained(answer):
    """What training left in an answer: all that later steps depend on."""
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def two_lists(returned, epochs):
    """The losses of training and of validation."""
    expect(
        isinstance(returned, (tuple, list))
        and len(returned) == 2
        and all(isinstance(losses, list) and len(losses) == epochs for losses in returned)
        and all(isinstance(loss, float) for losses in returned for loss in losses),
        "`train` must return two lists of {epochs} Python floats: the training losses and the validation losses.",
        epochs=epochs,
    )
    return returned


def test_every_epoch_trains(learner, reference, rng, device, evidence):
    """Each epoch trains like the first"""
    setup = draw(rng, device)
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "After three epochs the weights or batch norm's running statistics are not what three epochs of training leave. "
        "Look at what the second epoch does otherwise than the first.",
        **CLOSE,
    )


def test_the_first_epoch_trains(learner, reference, rng, device, evidence):
    """A model that comes in evaluation mode is trained from the first batch on"""
    setup = draw(rng, device, epochs=1, arrives="eval")
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "The model came in evaluation mode, and after one epoch the weights or running statistics are not those of an "
        "epoch in training mode.",
        **CLOSE,
    )


def test_modes_of_validation(learner, rng, device, evidence):
    """Validation runs in evaluation mode, in every part of the model"""
    setup = draw(rng, device)
    modes = learner.train(setup=setup)["modes"]
    evidence(modes=modes)
    expect(
        len(modes) == setup["epochs"] * len(setup["val_sizes"]),
        "In {epochs} epochs with {batches} validation batches each, the model saw {passes} validation batches.",
        epochs=setup["epochs"],
        batches=len(setup["val_sizes"]),
        passes=len(modes),
    )
    expect(
        not any(any(flags) for flags in modes),
        "While validating, some part of the model was in training mode: dropout makes the loss noisy, and batch norm "
        "learns from the validation data.",
    )


def test_no_graph_in_validation(learner, rng, device, evidence):
    """Validation builds no graph"""
    graphs = learner.train(setup=draw(rng, device))["graphs"]
    evidence(graphs=graphs)
    expect(
        not any(graphs),
        "The forward passes of validation built a graph, for gradients that nobody asks for. That part of the script was "
        "right.",
    )


def test_training_losses(learner, reference, rng, device, figure, evidence):
    """The training losses are those that the updates were made from"""
    setup = draw(rng, device, epochs=4)
    got = learner.train(setup=setup)["returned"]
    evidence(returned=got)
    mine, _ = two_lists(got, setup["epochs"])
    figure(
        "lines",
        series=[{"label": "training loss", "values": mine}, {"label": "validation loss", "values": got[1]}],
        x_label="epoch",
        y_label="loss",
    )
    expect_close(
        mine,
        reference.train(setup=setup)["returned"][0],
        "The training losses are not those of training mode: for each epoch, the mean over its samples of the losses that "
        "the updates were made from.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_validation_losses(learner, reference, rng, device, evidence):
    """The validation losses are means over samples, of the model as the epoch left it"""
    setup = draw(rng, device, epochs=1, val_sizes=[8, 8, 1])
    got = learner.train(setup=setup)["returned"]
    evidence(returned=got)
    _, losses = two_lists(got, setup["epochs"])
    expect_close(
        losses,
        reference.train(setup=setup)["returned"][1],
        "After one epoch the validation loss is another than that of the model in evaluation mode, per sample.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings and random streams are left as they were"""
    setup = draw(rng, device)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expect_close(
        got,
        reference.surroundings(setup=setup),
        "A batch, a learning rate or a random stream is not as the run should leave it. Nothing of that was broken.",
    )
