"""The repaired run, judged by what it leaves: weights, optimizer state, and its log of losses and norms.

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


def two_lists(returned, steps):
    """The losses and the norms of the log."""
    expect(
        isinstance(returned, (tuple, list))
        and len(returned) == 2
        and all(isinstance(values, list) and len(values) == steps for values in returned)
        and all(isinstance(value, float) for values in returned for value in values),
        "`train` must return two lists with a Python float for each of the {steps} steps: the losses and the norms.",
        steps=steps,
    )
    return returned


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
    setup = draw(rng, device, task="classification", max_norm=rng.uniform(20.0, 40.0), arrives="eval")
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
    """The norms in the log are those before clipping, of each step's own gradient"""
    # With a tiny rate the weights hardly move, so that only the norms show.
    setup = draw(rng, device, lr=1e-6, weight_decay=0.0)
    got = learner.train(setup=setup)["returned"]
    steps = setup["epochs"] * len(setup["sizes"])
    _, norms = two_lists(got, steps)
    evidence(norms=norms)
    figure("lines", series=[{"label": "norm in the log", "values": norms}], x_label="step", y_label="norm")
    expect_close(
        norms,
        reference.train(setup=setup)["returned"][1],
        "The norms in the log are not the global 2-norms of the gradients that each batch had before clipping.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_losses(learner, reference, rng, device, figure, evidence):
    """The losses in the log are those of a run whose steps are short"""
    setup = draw(rng, device, lr=0.05, momentum=0.0, weight_decay=0.0, max_norm=1.0, epochs=6)
    steps = setup["epochs"] * len(setup["sizes"])
    got = learner.train(setup=setup)
    losses, _ = two_lists(got["returned"], steps)
    evidence(losses=losses)
    figure(
        "lines",
        series=[{"label": "move of the weights", "values": got["moves"]}],
        x_label="step",
        y_label="move",
        threshold=setup["lr"] * setup["max_norm"],
    )
    expect_close(
        losses,
        reference.train(setup=setup)["returned"][0],
        "The losses are not those of a run in which no step is longer than the rate times max_norm.",
        rtol=5e-3,
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
