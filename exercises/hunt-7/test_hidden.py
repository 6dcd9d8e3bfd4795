"""The repaired run, judged by the rates of its updates, by the weights that it leaves, and by its history.

Tolerances. Right programs differ in rounding alone: less than 1e-5 of a weight or a rate. Mistakes change rates by a
hundredth and more.
"""

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}


def draw(rng, device, **wanted):
    """A short run of several epochs with several batches each, the last of another size; two groups with own rates."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "sizes": [full] * rng.randint(2, 3) + [rng.randint(2, full - 2)],
        "hidden": rng.randint(4, 6),
        "dropout": 0.0,
        "lr": rng.uniform(0.04, 0.06),
        "head_lr": rng.uniform(0.08, 0.1),
        "epochs": rng.randint(4, 6),
        "arrives": "train",
        **wanted,
    }


def trained(answer):
    """What training left in an answer."""
    return {part: answer[part] for part in ("weights", "optimizer")}


def column(answer, group):
    """The rates of one group, update by update."""
    return [row[group] for row in answer["rates"] if len(row) > group]


def history(returned, name, epochs):
    """One of the two lists of the history."""
    expect(
        isinstance(returned, dict)
        and isinstance(returned.get(name), list)
        and len(returned[name]) == epochs
        and all(isinstance(value, float) for value in returned[name]),
        'For {epochs} epochs the history must have a list of {epochs} Python floats under "{name}".',
        epochs=epochs,
        name=name,
    )
    return returned[name]


def test_rates_of_the_updates(learner, reference, rng, device, figure, evidence):
    """All updates of an epoch use one rate, and the next epoch a smaller one"""
    setup = draw(rng, device)
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    rates = column(got, 0)
    evidence(rates=rates)
    figure(
        "lines",
        series=[
            {"label": "rate of the update", "values": rates},
            {"label": "right rate", "values": column(expected, 0), "dashed": True},
        ],
        x_label="update",
        y_label="rate",
    )
    updates = setup["epochs"] * len(setup["sizes"])
    expect(
        len(rates) == updates,
        "In {epochs} epochs of {batches} batches the optimizer stepped {steps} times.",
        epochs=setup["epochs"],
        batches=len(setup["sizes"]),
        steps=len(rates),
    )
    expect_close(
        rates,
        column(expected, 0),
        "The rates are not half a cosine over the epochs: in epoch e, counted from 0, every update uses "
        "rate * (1 + cos(pi * e / epochs)) / 2.",
        rtol=1e-3,
        atol=1e-6,
    )


def test_second_group(learner, reference, rng, device, evidence):
    """Each parameter group follows its own first rate"""
    setup = draw(rng, device)
    rates = column(learner.train(setup=setup), 1)
    evidence(rates=rates)
    expect_close(
        rates,
        column(reference.train(setup=setup), 1),
        "The optimizer has two groups with different rates; those of the second do not follow the cosine from its own.",
        rtol=1e-3,
        atol=1e-6,
    )


def test_weights(learner, reference, rng, device, evidence):
    """The weights end where these rates lead"""
    setup = draw(rng, device)
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "The weights do not end where one step for each batch with the right rate leads.",
        **CLOSE,
    )


def test_one_epoch(learner, reference, rng, device, evidence):
    """A run of one epoch uses the first rate throughout, in training mode"""
    setup = draw(rng, device, epochs=1, arrives="eval", dropout=rng.uniform(0.3, 0.5))
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(rates=got["rates"], **trained(got))
    expect_close(
        [got["rates"], trained(got)],
        [expected["rates"], trained(expected)],
        "In a run of a single epoch every update uses the first rate, and the model trains in training mode; the rates or the "
        "weights say otherwise.",
        **CLOSE,
    )


def test_logged_rates(learner, reference, rng, device, evidence):
    """The history has the rate that each epoch used"""
    setup = draw(rng, device)
    got = history(learner.train(setup=setup)["returned"], "rate", setup["epochs"])
    evidence(rates=got)
    expect_close(
        got,
        reference.train(setup=setup)["returned"]["rate"],
        "The rates of the history are not those that the first group had in each epoch.",
        rtol=1e-3,
        atol=1e-6,
    )


def test_losses(learner, reference, rng, device, figure, evidence):
    """The history has the mean loss per sample of each epoch"""
    setup = draw(rng, device, task="classification", lr=0.2, head_lr=0.3)
    got = history(learner.train(setup=setup)["returned"], "loss", setup["epochs"])
    evidence(losses=got)
    figure("lines", series=[{"label": "training loss", "values": got}], x_label="epoch", y_label="loss")
    expect_close(
        got,
        reference.train(setup=setup)["returned"]["loss"],
        "The losses of the history are not the means over the samples of each epoch, in a run with the right rates.",
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
