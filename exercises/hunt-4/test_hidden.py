"""The repaired run, judged by what it leaves: weights, optimizer state, and its history of losses and norms.

Tolerances. Right programs differ in rounding and in how clipping guards its division: less than 1e-5 of a weight after
the few updates made here. Mistakes move weights by a hundredth and more.
"""

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}


def draw(rng, device, **wanted):
    """A short run with a last batch of another size; some of its steps are to be clipped."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "sizes": [full] * 2 + [rng.randint(2, full - 2)],
        "scales": rng.choice([[0.2, 14.0, 0.2], [14.0, 0.2, 14.0]]),
        "hidden": rng.randint(4, 6),
        "dropout": 0.0,
        "batch_norm": False,
        "optimizer": "sgd",
        "lr": rng.uniform(0.02, 0.04),
        "momentum": rng.uniform(0.5, 0.8),
        "weight_decay": rng.uniform(0.05, 0.1),
        "max_norm": rng.uniform(1.5, 2.5),
        "epochs": 2,
        "arrives": "train",
        **wanted,
    }


def trained(answer):
    """What training left in an answer: all that later steps depend on."""
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def two_lists(returned, epochs):
    """The losses and the largest norms of the history."""
    expect(
        isinstance(returned, dict)
        and {"loss", "largest_norm"} <= returned.keys()
        and all(isinstance(returned[name], list) and len(returned[name]) == epochs for name in ("loss", "largest_norm"))
        and all(isinstance(value, float) for name in ("loss", "largest_norm") for value in returned[name]),
        'For {epochs} epochs `train` must return a dict with two lists of {epochs} Python floats, "loss" and '
        '"largest_norm".',
        epochs=epochs,
    )
    return returned["loss"], returned["largest_norm"]


def test_long_gradients_are_shortened(learner, reference, rng, device, evidence):
    """A long gradient is shortened to max_norm, which is 1.0 unless given, before the weights move"""
    # A single update, and a large one: here nothing but the clipping shows.
    setup = draw(
        rng, device, sizes=[rng.randint(4, 6)], scales=[rng.uniform(8.0, 12.0)], lr=rng.uniform(1.0, 2.0), epochs=1
    )
    setups = [setup, {**setup, "max_norm": None}]
    got = [trained(learner.train(setup=setup)) for setup in setups]
    evidence(trained=got)
    expect_close(
        got,
        [trained(reference.train(setup=setup)) for setup in setups],
        "After one step with a gradient much longer than max_norm the weights are too far away from where they began, or in "
        "another direction.",
        **CLOSE,
    )


def test_a_whole_run(learner, reference, rng, device, evidence):
    """Each batch moves the weights once, along its own shortened gradient"""
    setup = draw(rng, device)
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "Two epochs of SGD with momentum do not end at the weights where they should. Each step uses the gradient of its own "
        "batch, shortened as a whole to max_norm where it is longer.",
        **CLOSE,
    )


def test_short_gradients_are_left_alone(learner, reference, rng, device, evidence):
    """A gradient shorter than max_norm is used as it is"""
    setup = draw(rng, device, task="classification", max_norm=rng.uniform(500.0, 1000.0), arrives="eval")
    setup |= {"dropout": rng.uniform(0.2, 0.4)}
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With max_norm far above every gradient, a plain run in training mode ends elsewhere. That part of the script was "
        "right.",
        **CLOSE,
    )


def test_norms(learner, reference, rng, device, figure, evidence):
    """The largest norm of an epoch is that of the longest gradient before clipping"""
    # With a tiny rate the weights hardly move, so that only the norms show.
    setup = draw(rng, device, lr=1e-6, weight_decay=0.0, scales=[0.2, 14.0, 0.2])
    _, norms = two_lists(learner.train(setup=setup)["returned"], setup["epochs"])
    evidence(norms=norms)
    figure("lines", series=[{"label": "largest norm", "values": norms}], x_label="epoch", y_label="norm")
    expect_close(
        norms,
        two_lists(reference.train(setup=setup)["returned"], setup["epochs"])[1],
        "The largest norm of an epoch is not the largest of the global 2-norms that its batches' gradients had before "
        "clipping.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_norms_of_each_epoch(learner, reference, rng, device, evidence):
    """Each epoch has its own largest norm"""
    # One batch and a plain descent: from epoch to epoch the gradient is shorter, and in the end shorter than 1.
    setup = draw(rng, device, sizes=[8], scales=[1.0], lr=0.2, momentum=0.0, weight_decay=0.0, max_norm=1e3, epochs=8)
    _, norms = two_lists(learner.train(setup=setup)["returned"], setup["epochs"])
    evidence(norms=norms)
    expect_close(
        norms,
        two_lists(reference.train(setup=setup)["returned"], setup["epochs"])[1],
        "In a run whose gradients get shorter, the largest norms are not those of each epoch on its own.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_losses(learner, reference, rng, device, figure, evidence):
    """The losses in the history are those of a run whose steps are short"""
    # Losses of about 1 to 10: one that is wrong by a little shows too.
    setup = draw(rng, device, scales=[0.2, 3.0, 0.2], lr=0.05, momentum=0.0, weight_decay=0.0, max_norm=0.3, epochs=6)
    losses, _ = two_lists(learner.train(setup=setup)["returned"], setup["epochs"])
    evidence(losses=losses)
    figure("lines", series=[{"label": "training loss", "values": losses}], x_label="epoch", y_label="loss")
    expect_close(
        losses,
        two_lists(reference.train(setup=setup)["returned"], setup["epochs"])[0],
        "The losses are not the means per sample of a run in which no step is longer than the rate times max_norm.",
        rtol=2e-3,
        atol=1e-3,
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
