"""The repaired run, judged by how far the weights move, by the scaler's scale, and by its log of losses and norms.

Tolerances. Right programs differ in how they round to 16 bits: that moves the weights by up to one part in a hundred of
their way, so a way counts as right within 5 %. A gradient clipped while it is scaled is shorter by the scale, which is
256 and more.
"""

import math

from judge.kit import close, expect


def draw(rng, device, **wanted):
    """A short run with a last batch of another size; nothing overflows."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "dtype": "bfloat16",
        "sizes": [full] * 2 + [rng.randint(2, full - 2)],
        "scales": [0.3, 14.0, 14.0],
        "overflowing": [],
        "hidden": rng.randint(4, 6),
        "lr": rng.uniform(0.01, 0.02),
        "max_norm": rng.uniform(1.5, 2.5),
        "scaler": {"init_scale": rng.choice([256.0, 1024.0, 4096.0]), "growth_interval": 1000},
        "epochs": 2,
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
    return "too short" if share < 0.95 else "too far" if share > 1.05 else "elsewhere"


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


def sizes_of(mine, right):
    """How large logged numbers are beside the right ones: what does not depend on rounding in 16 bits."""
    if close(mine, right, rtol=0.05, atol=1e-3, equal_nan=True):
        return "right"
    quotients = [a / b for a, b in zip(mine, right, strict=True) if math.isfinite(a) and math.isfinite(b) and b]
    if all(quotient == 0 for quotient in quotients):
        return "zero"
    return "too large" if min(quotients) > 20 else "too small" if max(quotients) < 0.05 else "others"


def test_a_whole_run(learner, reference, rng, device, evidence):
    """Each batch moves the weights once, along its own true gradient, clipped"""
    setup = draw(rng, device)
    found = movement(learner.train(setup=setup), reference.train(setup=setup))
    evidence(moved=found)
    expect(
        found == "right",
        "The weights did not move as far as steps with the true gradients, clipped to max_norm, take them, or went "
        "elsewhere.",
    )


def test_long_gradients(learner, reference, rng, device, evidence):
    """A long gradient is shortened to max_norm, which is 1.0 unless given, and no further"""
    setup = draw(rng, device, sizes=[rng.randint(4, 6)], scales=[14.0], epochs=1, max_norm=rng.uniform(0.4, 0.8))
    setups = [setup, {**setup, "max_norm": None}]
    found = [movement(learner.train(setup=setup), reference.train(setup=setup)) for setup in setups]
    evidence(moved=found)
    expect(
        found == ["right", "right"],
        "After one step with a long gradient the weights are not the rate times max_norm away from where they began, along "
        "the gradient.",
    )


def test_short_gradients(learner, reference, rng, device, evidence):
    """A true gradient shorter than max_norm is used as it is"""
    setup = draw(rng, device, scales=[rng.uniform(0.5, 1.0)], max_norm=rng.uniform(40.0, 60.0))
    found = movement(learner.train(setup=setup), reference.train(setup=setup))
    evidence(moved=found)
    expect(
        found == "right",
        "With max_norm above every true gradient the weights should move as without clipping, and did not.",
    )


def test_norms(learner, reference, rng, device, figure, evidence):
    """The norms in the log are those of the true gradients before clipping"""
    setup = draw(rng, device, lr=1e-6)
    steps = setup["epochs"] * len(setup["sizes"])
    _, norms = two_lists(learner.train(setup=setup)["returned"], steps)
    _, right = reference.train(setup=setup)["returned"]
    found = sizes_of(norms, right)
    evidence(norms=found)
    figure("lines", series=[{"label": "norm in the log", "values": norms}], x_label="step", y_label="norm")
    expect(
        found == "right",
        "The norms in the log are not the global 2-norms of the true gradients before clipping: the first is {mine:.4g} "
        "and should be {right:.4g}.",
        mine=norms[0],
        right=right[0],
    )


def test_losses(learner, reference, rng, device, figure, evidence):
    """The losses in the log are the unscaled ones, and fall"""
    setup = draw(rng, device, sizes=[8] * 3, scales=[2.0], epochs=8, lr=0.05, max_norm=1.0)
    steps = setup["epochs"] * len(setup["sizes"])
    losses, _ = two_lists(learner.train(setup=setup)["returned"], steps)
    right, _ = reference.train(setup=setup)["returned"]
    first = sizes_of(losses[:1], right[:1])
    last = close(losses[-3:], right[-3:], rtol=0.1, atol=1e-2)
    evidence(first=first, last=last)
    figure("lines", series=[{"label": "training loss", "values": losses}], x_label="step", y_label="loss")
    expect(first == "right", "The first loss of the log is not the unscaled loss of the first batch.")
    expect(
        last,
        "After {steps} steps the loss of a run that learns is {right:.3f}; here it is {mine:.3f}.",
        steps=steps,
        right=right[-1],
        mine=losses[-1],
    )


def test_overflow(learner, reference, rng, device, evidence):
    """A batch whose gradients are not finite is skipped, and the scale comes down"""
    setup = draw(rng, device, overflowing=[1], max_norm=50.0)
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    found, scale = movement(got, expected), got["scale"] / expected["scale"]
    evidence(moved=found, scale=scale)
    expect(
        found == "right",
        "One batch gave gradients that are not finite. The scaler leaves its step out and goes on with the next; here the "
        "weights are elsewhere.",
    )
    expect(
        scale == 1,
        "After batches with gradients that are not finite, the scale is {factor:g} times what it should be.",
        factor=scale,
    )


def test_precision_and_mode(learner, rng, device, evidence):
    """The forward pass and the loss run in the precision that is asked for, in training mode"""
    found = {}
    for dtype in ("bfloat16", "float16"):
        got = learner.train(setup=draw(rng, device, dtype=dtype, epochs=1, arrives="eval"))
        found[dtype] = [got["forward"], got["loss"], got["modes"]]
    evidence(found=found)
    for dtype, (forward, loss, modes) in found.items():
        expect(
            forward == [dtype],
            "With dtype={dtype}, the forward pass gave outputs of {seen}.",
            dtype=dtype,
            seen=", ".join(forward),
        )
        expect(
            set(loss) <= {dtype},
            "With dtype={dtype}, the loss was computed where matrix products are taken in {found}. It belongs under "
            "`torch.autocast` too, with that dtype.",
            dtype=dtype,
            found=", ".join(loss),
        )
        expect(modes == [True], "The model came in evaluation mode, and its forward passes were not in training mode.")


def test_disabled_scaler(learner, reference, rng, device, evidence):
    """With a disabled scaler it trains all the same"""
    setup = draw(rng, device, scaler={"enabled": False})
    found = movement(learner.train(setup=setup), reference.train(setup=setup))
    evidence(moved=found)
    expect(found == "right", "With a disabled scaler, which scales nothing, the weights do not end where they should.")


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings, random streams and autocast are left as they were"""
    setup = draw(rng, device)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expect(
        close(got, reference.surroundings(setup=setup)),
        "A batch, a learning rate, a random stream or autocast is not as the run should leave it.",
    )
