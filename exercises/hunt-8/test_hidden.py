"""The repaired run, judged by how far the weights move, and by the precision of its forward passes and of its weights.

Tolerances. Right programs differ in how they round to 16 bits: that moves the weights by up to one part in a hundred of
their way, so a way counts as right within 5 %. Weights that are held in 16 bits lose half of it and more.
"""

from judge.kit import close, expect


def draw(rng, device, **wanted):
    """A short run with small steps: each is far below the distance of 16-bit numbers, and far above that of 32 bits."""
    full = rng.randint(6, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "dtype": "bfloat16",
        "sizes": [full] * 2 + [rng.randint(2, full - 2)],
        "scales": [rng.uniform(0.8, 1.2)],
        "hidden": rng.randint(4, 6),
        "lr": rng.uniform(5e-6, 1e-5),
        "epochs": 3,
        "arrives": "train",
        **wanted,
    }


def movement(got, expected):
    """How a run moved the weights, compared with the reference: what does not depend on rounding in 16 bits."""
    mine, right = got["moved"], expected["moved"]
    if not mine.isfinite().all():
        return "not finite"
    if (mine - right).norm() < 0.05 * right.norm():
        return "right"
    share = (mine @ right / (right @ right)).item()  # how much of the way was made
    if mine.norm() < 1e-6 * right.norm():
        return "not at all"
    if share > 1.05:
        return "too far" if share < 2 else "several times too far"  # without clearing, over many steps
    return "too short" if share < 0.95 else "elsewhere"


def floats(returned, epochs):
    """The losses of the epochs."""
    expect(
        isinstance(returned, list) and len(returned) == epochs and all(isinstance(loss, float) for loss in returned),
        "For {epochs} epochs `train` must return a list of {epochs} Python floats.",
        epochs=epochs,
    )
    return returned


def test_small_steps_arrive(learner, reference, rng, device, evidence):
    """Small steps of one epoch reach the weights"""
    setup = draw(rng, device, epochs=1)
    got = learner.train(setup=setup)
    found = movement(got, reference.train(setup=setup))
    evidence(moved=found, held_in=got["held_in"])
    expect(
        found == "right",
        "In one epoch with small steps the weights did not move as far as the steps together, or went elsewhere.",
    )


def test_small_steps_add_up(learner, reference, rng, device, evidence):
    """Over several epochs small steps add up, with momentum"""
    setup = draw(rng, device, epochs=6)
    got = learner.train(setup=setup)
    found = movement(got, reference.train(setup=setup))
    evidence(moved=found, held_in=got["held_in"])
    expect(
        found == "right",
        "Over {epochs} epochs the weights did not end where SGD with momentum takes them: the steps are small, but there "
        "are many, and none may get lost.",
        epochs=setup["epochs"],
    )


def test_defaults(learner, reference, rng, device, evidence):
    """The rate is 0.01 and the dtype bfloat16 unless given"""
    setup = draw(rng, device, sizes=[rng.randint(6, 8)], epochs=1, lr=None)
    got = learner.train(setup=setup)
    found = movement(got, reference.train(setup=setup))
    evidence(moved=found, held_in=got["held_in"], forward=got["forward"])
    expect(
        found == "right" and got["forward"] == ["bfloat16"],
        "Without `lr` and `dtype`, one step does not lead to where lr=0.01 and bfloat16 lead.",
    )


def test_weights_are_what_they_were(learner, rng, device, evidence):
    """The weights are float32 afterwards, as they came"""
    dtypes = learner.train(setup=draw(rng, device))["dtypes"]
    evidence(dtypes=dtypes)
    expect(
        dtypes == ["float32"],
        "The weights came as float32 and are {dtypes} afterwards.",
        dtypes=", ".join(dtypes),
    )


def test_forward_in_the_dtype(learner, rng, device, evidence):
    """The forward pass is computed in the dtype that is asked for"""
    found = {dtype: learner.train(setup=draw(rng, device, dtype=dtype))["forward"] for dtype in ("bfloat16", "float16")}
    evidence(forward=found)
    for dtype, seen in found.items():
        expect(
            seen == [dtype],
            "With dtype={dtype}, the forward pass gave outputs of {seen}.",
            dtype=dtype,
            seen=", ".join(seen),
        )


def test_training_mode(learner, rng, device, evidence):
    """A model that comes in evaluation mode is trained in training mode"""
    modes = learner.train(setup=draw(rng, device, arrives="eval"))["modes"]
    evidence(modes=modes)
    expect(modes == [True], "The model came in evaluation mode, and its forward passes were not all in training mode.")


def test_history(learner, reference, rng, device, evidence):
    """The history has the mean loss per sample of each epoch"""
    # The last batch is the smaller one, and its loss is hundreds of times that of the others: its weight shows. Of a few
    # samples with small losses, whatever else is in the sum does.
    setups = [draw(rng, device, scales=[0.5, 1.0, 40.0], epochs=2), draw(rng, device, sizes=[2, 1], scales=[0.3])]
    got = [floats(learner.train(setup=setup)["returned"], setup["epochs"]) for setup in setups]
    right = close(got, [reference.train(setup=setup)["returned"] for setup in setups], rtol=0.02, atol=2e-3)
    evidence(right=right, losses=[round(loss, 1) for loss in got[0]] if not right else [])
    expect(right, "The history is not the mean loss over the samples of each epoch; the last batch may be smaller.")


def test_loss_goes_on_falling(learner, reference, rng, device, figure, evidence):
    """Where small steps are left to make, the loss goes on falling"""
    setup = draw(rng, device, sizes=[8] * 4, scales=[1.0], lr=3e-4, epochs=12)
    got = floats(learner.train(setup=setup)["returned"], setup["epochs"])
    expected = reference.train(setup=setup)["returned"]
    figure("lines", series=[{"label": "training loss", "values": got}], x_label="epoch", y_label="loss")
    falls = close(got[-1], expected[-1], rtol=0.05, atol=1e-3)
    evidence(falls=falls)
    expect(
        falls,
        "After {epochs} epochs the loss is {got:.3f}; the same steps, none of them lost, lead to {right:.3f}.",
        epochs=setup["epochs"],
        got=got[-1],
        right=expected[-1],
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, random streams and autocast are left as they were"""
    setup = draw(rng, device)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expect(
        close(got, reference.surroundings(setup=setup)),
        "A batch, a random stream or autocast is not as the run should leave it.",
    )
