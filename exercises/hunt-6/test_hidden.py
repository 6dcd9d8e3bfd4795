"""The repaired run, judged by what it leaves, by its losses, and by the graphs that validation builds.

Tolerances. Right programs differ in rounding alone: less than 1e-5 of a weight after the few updates made here. Mistakes
move weights, statistics or losses by a hundredth and more.
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
        "frozen": False,
        "lr": rng.uniform(0.1, 0.2),
        "epochs": 2,
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


def test_validation_builds_no_graph(learner, rng, device, evidence):
    """Validation builds no graph"""
    setup = draw(rng, device, epochs=1)
    seen = learner.train(setup=setup)["validation"]
    graphs = [graph for _, graph in seen]
    evidence(graphs=any(graphs), passes=len(seen))
    expect(
        len(seen) == len(setup["val_sizes"]),
        "In one epoch with {batches} validation batches the model saw {passes} validation batches.",
        batches=len(setup["val_sizes"]),
        passes=len(seen),
    )
    expect(
        not any(graphs),
        "The forward passes of validation built a graph: for as long as it lives, every activation of the batch is kept for "
        "a `backward` that never comes.",
    )


def test_nothing_piles_up(learner, rng, device, figure, evidence):
    """However many validation batches there are, their graphs do not pile up"""
    setup = draw(rng, device, epochs=1, val_sizes=[4] * 12)
    most = learner.train(setup=setup)["most_graphs"]
    evidence(piles_up=most > 3)
    figure("lines", series=[{"label": "saved by graphs", "values": [0, most]}], x_label="batch", y_label="graphs")
    expect(
        most <= 3,
        "At the last of {batches} validation batches, the graphs of {graphs} earlier ones were still in memory.",
        batches=len(setup["val_sizes"]),
        graphs=most,
    )


def test_training_is_as_before(learner, reference, rng, device, evidence):
    """Training itself is what it was, in every epoch"""
    setup = draw(rng, device, epochs=3, arrives="eval")
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "After three epochs the weights or batch norm's statistics are not what training leaves. Validation must leave "
        "nothing behind, and the training loop was right.",
        **CLOSE,
    )


def test_losses(learner, reference, rng, device, figure, evidence):
    """The losses of training and of validation are means over samples"""
    setup = draw(rng, device, epochs=3)
    got = learner.train(setup=setup)["returned"]
    evidence(returned=got)
    training, validation = two_lists(got, setup["epochs"])
    figure(
        "lines",
        series=[{"label": "training loss", "values": training}, {"label": "validation loss", "values": validation}],
        x_label="epoch",
        y_label="loss",
    )
    expect_close(
        [list(losses) for losses in got],
        [list(losses) for losses in reference.train(setup=setup)["returned"]],
        "The losses are not the means over samples of the training passes and of the model in evaluation mode.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_validation_in_evaluation_mode(learner, rng, device, evidence):
    """Validation runs in evaluation mode"""
    modes = [training for training, _ in learner.train(setup=draw(rng, device, epochs=1))["validation"]]
    evidence(modes=modes)
    expect(not any(modes), "While validating, some part of the model was in training mode.")


def test_autograd_afterwards(learner, rng, device, evidence):
    """After the run autograd is on, and the same parameters are trained as before"""
    before, after = learner.train(setup=draw(rng, device, epochs=1, frozen=True))["settings"]
    evidence(after=after)
    expect(after[0] == before[0], "Autograd was switched off and not on again: whoever trains next has no gradients.")
    expect(
        after[1] == before[1],
        "A parameter's `requires_grad` is not what it was before: what was trained and what was frozen must stay so.",
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
