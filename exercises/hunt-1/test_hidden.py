"""The repaired run, judged by what it leaves: weights, optimizer state, buffers and the losses returned.

Tolerances. Right programs differ in rounding and in how clipping guards its division: less than 1e-5 of a weight after
the few updates made here. Mistakes move weights by a hundredth and more.
"""

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}


def draw(rng, device, **wanted):
    """A short run whose gradients are never clipped, with a last batch of another size."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "sizes": [full] * 2 + [rng.randint(2, full - 2)],
        "scales": [rng.uniform(1.0, 2.0)],
        "hidden": rng.randint(4, 6),
        "dropout": 0.0,
        "batch_norm": False,
        "optimizer": "sgd",
        "lr": rng.uniform(0.03, 0.06),
        "momentum": rng.uniform(0.5, 0.8),
        "weight_decay": rng.uniform(0.05, 0.1),
        "max_norm": rng.uniform(500.0, 1000.0),
        "epochs": 2,
        "arrives": "train",
        **wanted,
    }


def trained(answer):
    """What training left in an answer: all that later steps depend on."""
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def expect_trained(learner, reference, setup, evidence, template):
    got = learner.train(setup=setup)
    evidence(**trained(got))
    expect_close(trained(got), trained(reference.train(setup=setup)), template, **CLOSE)


def test_each_batch_moves_the_weights(learner, reference, rng, device, evidence):
    """Each batch moves the weights once, along its own gradient"""
    setup = draw(rng, device)
    expect_trained(
        learner,
        reference,
        setup,
        evidence,
        "Two epochs of SGD do not end at the weights where they should. For each batch, one step has to see the gradient "
        "of this batch, all of it and nothing else.",
    )


def test_first_update(learner, reference, rng, device, evidence):
    """The very first batch already moves the weights"""
    setup = draw(rng, device, sizes=[rng.randint(4, 6)], epochs=1, momentum=0.0)
    expect_trained(
        learner,
        reference,
        setup,
        evidence,
        "After a single batch the weights are not one step along its gradient away from where they began.",
    )


def test_gradients_are_still_clipped(learner, reference, rng, device, evidence):
    """Long gradients are shortened to max_norm, which is 1.0 unless given, before they are used"""
    setup = draw(rng, device, scales=[rng.uniform(8.0, 12.0)], max_norm=rng.uniform(0.3, 0.6), weight_decay=0.0)
    setups = [setup, {**setup, "max_norm": None}]
    got = [trained(learner.train(setup=setup)) for setup in setups]
    evidence(trained=got)
    expect_close(
        got,
        [trained(reference.train(setup=setup)) for setup in setups],
        "With gradients much longer than max_norm the weights end elsewhere. The step must use this batch's gradient after "
        "it was clipped; that part of the script was right.",
        **CLOSE,
    )


def test_adam_dropout_and_batch_norm(learner, reference, rng, device, evidence):
    """One forward pass a batch: Adam, dropout and batch norm end where they should"""
    setup = draw(
        rng, device, optimizer="adam", batch_norm=True, dropout=rng.uniform(0.2, 0.4), arrives="eval", hidden=7
    )
    expect_trained(
        learner,
        reference,
        setup,
        evidence,
        "With Adam, dropout and batch norm the weights, moments or running statistics are not what one forward pass in "
        "training mode and one update for each batch leave.",
    )


def test_history(learner, reference, rng, device, figure, evidence):
    """The history has the mean loss per sample of each epoch, and it falls"""
    setup = draw(rng, device, task="classification", sizes=[8, 8, 8, 3], epochs=6, lr=0.3, weight_decay=0.0)
    got = learner.train(setup=setup)["returned"]
    evidence(history=got)
    expected = reference.train(setup=setup)["returned"]
    expect(
        isinstance(got, list) and len(got) == setup["epochs"] and all(isinstance(loss, float) for loss in got),
        "For {epochs} epochs `train` must return a list of {epochs} Python floats.",
        epochs=setup["epochs"],
    )
    figure("lines", series=[{"label": "training loss", "values": got}], x_label="epoch", y_label="loss")
    expect_close(
        got,
        expected,
        "The losses are not those of a run that learns: for each epoch, the mean over its samples of the losses that the "
        "updates were made from.",
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
