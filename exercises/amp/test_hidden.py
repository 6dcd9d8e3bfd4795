"""Steps in mixed precision, judged by what they leave: weights, optimizer state, the scaler's scale, answers.

Tolerances. Half precision rounds coarsely, but it rounds the same numbers for all right programs: each call begins with
the same weights, and scales are powers of two, so that scaling changes no digit. What differs is the rounding in single
precision when clipping (torch adds 1e-6 to the norm): less than a millionth of a weight. Mistakes move weights by a
hundredth and more; the wrong precision, some weights or moments by a thousandth. Losses are the same to the last digit.
"""

import torch

from judge.kit import close, expect, expect_close

CLOSE = {"rtol": 1e-4, "atol": 1e-5}
SAME_LOSS = {"rtol": 1e-5, "atol": 1e-7}
BAD = ["nan", "first", "last"]  # a NaN in the batch; an infinity in the first or the last gradient alone
UNCLIPPED = 1000.0  # far above every gradient here
EVENTS = ("forward", "zero", "backward", "unscale", "clip", "step", "update")


def draw(rng, device, kinds, **wanted):
    """One call for each of `kinds`: "fine", or with gradients that are not finite in one of the ways of `BAD`."""
    scaler = {
        "init_scale": rng.choice([256.0, 512.0]),  # so large that what is not unscaled shows
        "growth_factor": 2.0,
        "backoff_factor": 0.5,
        "growth_interval": 1000,
        **wanted.pop("scaler", {}),
    }
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "kinds": kinds,
        "sizes": [rng.randint(4, 8) for _ in kinds],
        "scales": rng.choice([[0.2, 14.0], [14.0, 0.2, 14.0], [0.2, 14.0, 14.0]]),
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
        "dtype": "bfloat16",
        "scaler": scaler,
        **wanted,
    }


def trained(answer):
    """What training left in an answer: all that later steps depend on."""
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def finite(answer):
    weights = answer["weights"] if isinstance(answer["weights"], list) else [answer["weights"]]
    return all(bool(weight.isfinite().all()) for named in weights for weight in named.values())


def explaining(answer, setup, **facts):
    """What characterises an answer: the numbers, unless they are of another precision or none at all."""
    precisions = [sorted(set(answer[place])) for place in ("model_dtypes", "loss_dtypes")]
    if any(found != [setup["dtype"]] for found in precisions):
        return {"precisions": precisions}
    return facts or (trained(answer) if finite(answer) else {"finite": False})


def number(value):
    """A loss as a number, also where it came back as a tensor: that is another check's business."""
    return float(value) if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def truth(value):
    """Whether the optimizer stepped, also where it was not said with a bool."""
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        return bool(value)
    return bool(value) if isinstance(value, int) else value


def other_than(found, dtype):
    """The first of the precisions found that is not the one asked for."""
    return next((other for other in found if other != dtype), dtype)


def rows(log):
    """The events, call by call."""
    found = []
    for event in log:
        if event == "call":
            found.append([])
        elif event in EVENTS:
            found[-1].append(event)
    return found


def test_true_gradients_are_clipped(learner, reference, rng, device, figure, evidence):
    """The gradients that are clipped are the true ones, not the scaled ones"""
    setup = draw(rng, device, ["fine"] * 3, frozen=True, scales=[14.0, 0.2, 14.0])
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**explaining(got, setup))
    figure("events", learner=rows(got["log"])[:2], expected=rows(expected["log"])[:2])
    expect_close(
        trained(got),
        trained(expected),
        "After {calls} calls with SGD and momentum, under a scale of {scale:g}, the weights are not what they "
        "should be. Each call makes one step with the gradients of its own batch, unscaled first and then "
        "clipped to max_norm.",
        calls=len(setup["kinds"]),
        scale=setup["scaler"]["init_scale"],
        **CLOSE,
    )


def test_short_gradients_are_left_alone(learner, reference, rng, device, evidence):
    """A true gradient shorter than max_norm goes into the step as it is"""
    setup = draw(rng, device, ["fine"] * 3, scales=[rng.uniform(0.8, 1.5)], max_norm=rng.uniform(20.0, 30.0))
    got = learner.train(setup=setup)
    evidence(**explaining(got, setup))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With max_norm={max_norm:.3g}, above every true gradient but below the scaled ones, the weights end elsewhere. "
        "Nothing is to be clipped here.",
        max_norm=setup["max_norm"],
        **CLOSE,
    )


def test_dropout_batch_norm_and_adam(learner, reference, rng, device, evidence):
    """One forward pass a call: dropout, batch norm and Adam end where they should"""
    setup = draw(
        rng,
        device,
        ["fine"] * 3,
        optimizer="adam",
        batch_norm=True,
        dropout=rng.uniform(0.2, 0.4),
        hidden=rng.randint(6, 8),
        max_norm=UNCLIPPED,  # clipped, gradients that were not unscaled may end as the true ones do
        scaler={"init_scale": 4.0},  # so small that gradients left from the call before show
    )
    got = learner.train(setup=setup)
    evidence(**explaining(got, setup))
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "With dropout, batch norm and Adam the weights, running statistics or moments are not what one forward pass and"
        " one step a call leave.",
        **CLOSE,
    )


def test_first_step_of_all(learner, reference, rng, device, evidence):
    """With a new scaler, max_norm is 1.0 and the precision bfloat16 unless given"""
    setup = draw(rng, device, ["fine"], scales=[rng.uniform(8.0, 12.0)], lr=0.5, head_lr=0.8)
    got, expected = learner.first_step(setup=setup), reference.first_step(setup=setup)
    new_scaler = "_scale is None" in got["error"]
    evidence(raised=got["raised"], new_scaler=new_scaler, **explaining(got, setup))
    expect(
        not got["raised"],
        "The first call of all, with a scaler that has not scaled anything yet, raised {error}",
        error=got["error"],
    )
    expect_close(
        [got["model_dtypes"], trained(got), got["scale"]],
        [expected["model_dtypes"], trained(expected), expected["scale"]],
        "Without `max_norm` and `dtype`, and with a new scaler, one step does not lead to where max_norm=1.0 and "
        "bfloat16 lead.",
        **CLOSE,
    )


def test_forward_and_loss_under_autocast(learner, rng, device, evidence):
    """The forward pass and the loss run in the precision that is asked for"""
    seen = {}
    for dtype in ("bfloat16", "float16"):
        got = learner.train(setup=draw(rng, device, ["fine"], dtype=dtype))
        seen[dtype] = {"model": got["model_dtypes"], "loss": got["loss_dtypes"]}
    evidence(seen=seen)
    for dtype, places in seen.items():
        expect(
            set(places["model"]) <= {dtype},
            "With dtype={dtype}, the forward pass ran in {found}. It belongs under `torch.autocast`, with that dtype.",
            dtype=dtype,
            found=other_than(places["model"], dtype),
        )
        expect(
            set(places["loss"]) <= {dtype},
            "With dtype={dtype}, the loss was computed where matrix products are taken in {found}. It belongs under "
            "`torch.autocast` too, with that dtype.",
            dtype=dtype,
            found=other_than(places["loss"], dtype),
        )


def test_autocast_of_the_models_device(learner, rng, device, evidence):
    """Autocast is that of the device that the model is on"""
    setup = draw(rng, device, ["fine"])
    got = learner.autocast_devices(setup=setup)
    others = [found for found in got["entered"] if found != got["model"]]
    evidence(others=others)
    expect(
        not others,
        "The model is on a device of type {model}, and autocast was entered for {other}: there it does nothing. Ask a "
        "parameter, `next(model.parameters()).device.type`.",
        model=got["model"],
        other=", ".join(map(str, others)),
    )


def test_a_skipped_step_changes_nothing(learner, reference, rng, device, evidence):
    """Gradients that are not finite change nothing, and training goes on after them"""
    first, second = rng.sample(BAD, 2)
    setup = draw(rng, device, ["fine", first, "fine", second, "fine"], scales=[14.0, 1.0, 14.0, 1.0, 0.2])
    got = learner.train(setup=setup)
    evidence(**explaining(got, setup))
    expect(
        finite(got),
        "Two of {calls} batches gave gradients that are not finite, and now weights are not finite either. "
        "`scaler.step` leaves such a step out.",
        calls=len(setup["kinds"]),
    )
    expect_close(
        trained(got),
        trained(reference.train(setup=setup)),
        "Two of {calls} batches gave gradients that are not finite. Their steps must be left out, and nothing of them "
        "may be left for the next ones; the weights or the momentum say otherwise.",
        calls=len(setup["kinds"]),
        **CLOSE,
    )


def test_scale_follows_the_gradients(learner, reference, rng, device, figure, evidence):
    """The scale comes down after a skipped step and grows after a few good ones"""
    bad = rng.sample(["nan", rng.choice(["first", "last"])], 2)
    setup = draw(
        rng,
        device,
        ["fine", "fine", *bad, "fine"],
        scales=[1.0],
        scaler={
            "init_scale": rng.choice([4.0, 16.0]),
            "growth_interval": 2,
            "growth_factor": 4.0,
            "backoff_factor": rng.choice([0.5, 0.25]),
        },
    )
    got, expected = learner.train(setup=setup)["scales"], reference.train(setup=setup)["scales"]
    evidence(scales=got)
    figure(
        "lines",
        series=[
            {"label": "your scale", "values": [scale for scale, _ in got]},
            {"label": "right scale", "values": [scale for scale, _ in expected], "dashed": True},
        ],
        x_label="call",
        y_label="scale",
    )
    expect_close(
        got,
        expected,
        "The scale over {calls} calls is not what the scaler makes of them when it is updated once in each call, after "
        "the step: smaller after a skipped step, larger after {interval} good ones in a row.",
        calls=len(setup["kinds"]),
        interval=setup["scaler"]["growth_interval"],
    )


def test_scale_finds_its_size(learner, reference, rng, device, evidence):
    """In float16, a scale that is far too large comes down until the gradients fit"""
    setup = draw(
        rng,
        device,
        ["fine"] * 6,
        dtype="float16",
        scales=[rng.uniform(0.5, 1.0)],
        max_norm=UNCLIPPED,
        scaler={"init_scale": 2.0**24, "backoff_factor": 0.125},
    )
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    scales = [scale for scale, _ in got["scales"]]
    evidence(**explaining(got, setup, scales=scales, **trained(got)))
    expect_close(
        [scales, trained(got)],
        [[scale for scale, _ in expected["scales"]], trained(expected)],
        "With float16 and a scale of {scale:g} the first gradients are too large for 16 bits: their steps are skipped "
        "until the scale has come down far enough. Here the scale or the weights go another way.",
        scale=setup["scaler"]["init_scale"],
        **CLOSE,
    )


def test_steps_through_the_scaler(learner, rng, device, evidence):
    """The optimizer steps inside of `scaler.step`, also where the gradients are finite anyway"""
    got = learner.train(setup=draw(rng, device, ["fine", rng.choice(BAD), "fine"]))
    evidence(around=got["steps_around_the_scaler"] > 0)
    expect(
        got["steps_around_the_scaler"] == 0,
        "The optimizer stepped, but not inside of `scaler.step(optimizer)`. Whether to step is for the scaler to decide, "
        "which looks at the gradients and knows about more than one optimizer or process.",
    )


def test_says_whether_it_stepped(learner, reference, rng, device, evidence):
    """What comes back says whether the optimizer stepped, also when the scale grows"""
    setup = draw(
        rng,
        device,
        ["fine", "fine", *rng.sample(BAD, 3), "fine"],
        scales=[1.0],
        scaler={"init_scale": rng.choice([1.0, 64.0]), "growth_interval": 2},
    )
    got = [truth(step) for step in learner.train(setup=setup)["stepped"]]
    expected = reference.train(setup=setup)["stepped"]
    evidence(stepped=got)
    call = next((index for index, (mine, right) in enumerate(zip(got, expected, strict=True)) if mine != right), 0)
    template = (
        "In call {call} the optimizer stepped, but what came back says otherwise."
        if expected[call]
        else "In call {call} the gradients were not finite and the optimizer did not step, but what came back says "
        "otherwise."
    )
    expect(got == expected, template, call=call + 1)


def test_loss_is_the_unscaled_one(learner, reference, rng, device, evidence):
    """The loss that comes back is the unscaled one, of the forward pass that was made"""
    growing = {"growth_interval": 1}  # the scale that a loss was multiplied by is not the one after the update
    setup = draw(
        rng,
        device,
        ["fine"] * 3,
        task="classification",
        batch_norm=True,
        dropout=0.3,
        max_norm=UNCLIPPED,
        scaler=growing,
    )
    answer = learner.train(setup=setup)
    got, expected = [number(loss) for loss in answer["losses"]], reference.train(setup=setup)["losses"]
    scales = [setup["scaler"]["init_scale"] * 2.0**call for call in range(len(expected))]
    evidence(**explaining(answer, setup, losses=got, right=close(got, expected, **SAME_LOSS)))
    call = next(
        (index for index, pair in enumerate(zip(got, expected, strict=True)) if not close(*pair, **SAME_LOSS)), 0
    )
    expect(
        close(got, expected, **SAME_LOSS),
        "The loss of call {call} is {right:.6g}, under a scale of {scale:g}; what came back is {mine}.",
        call=call + 1,
        right=expected[call],
        scale=scales[call],
        mine=got[call],
    )


def test_returns_a_float_and_a_bool(learner, rng, device, evidence):
    """A Python float and a bool come back, also when the step is skipped"""
    setup = draw(rng, device, ["fine", rng.choice(BAD)])
    got = learner.train(setup=setup)
    kinds = [
        [getattr(value, "type_name", type(value).__name__) for value in pair]
        for pair in zip(got["losses"], got["stepped"], strict=True)
    ]
    evidence(kinds=kinds)
    other = next((pair for pair in kinds if pair != ["float", "bool"]), ["", ""])
    expect(
        other == ["", ""],
        "The loss came back as {loss} and whether the optimizer stepped as {stepped}. A pair of a Python float and a "
        "bool is asked for.",
        loss=other[0],
        stepped=other[1],
    )


def test_disabled_scaler(learner, reference, rng, device, evidence):
    """With a disabled scaler the steps are made all the same"""
    setup = draw(rng, device, ["fine"] * 3, scales=[14.0, 0.2, 14.0], scaler={"enabled": False})
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    stepped = [truth(step) for step in got["stepped"]]
    evidence(**explaining(got, setup, stepped=stepped, **trained(got)))
    expect_close(
        trained(got),
        trained(expected),
        "With a disabled scaler (`enabled=False`), which scales nothing and skips nothing, the weights end elsewhere.",
        **CLOSE,
    )
    expect(
        stepped == expected["stepped"],
        "With a disabled scaler the optimizer stepped, but what came back says otherwise.",
    )


def test_disabled_scaler_skips_nothing(learner, rng, device, evidence):
    """A disabled scaler lets the optimizer step with any gradients, and what comes back says so"""
    setup = draw(rng, device, ["fine", "last"], scaler={"enabled": False})
    got = learner.train(setup=setup)
    broken, says = not finite(got), truth(got["stepped"][-1])
    evidence(broken=broken, says=says)
    expect(
        broken,
        "With a disabled scaler the optimizer steps with gradients that are not finite too: skipping is the scaler's "
        "business. Here it did not step.",
    )
    expect(
        says is True,
        "With a disabled scaler the optimizer stepped with gradients that are not finite, but what came back says "
        "otherwise. It is not asked whether the gradients were finite, but whether the optimizer stepped.",
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings, random streams and autocast are left as they were"""
    setup = draw(rng, device, ["fine", "fine"], frozen=True)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expected = reference.surroundings(setup=setup)
    expect_close(got["batches"], expected["batches"], "A batch was changed in place; whoever made it still needs it.")
    expect_close(
        [got["rates"], got["trainable"], got["scaler"]],
        [expected["rates"], expected["trainable"], expected["scaler"]],
        "A learning rate, a weight decay, a parameter's `requires_grad` or a setting of the scaler is not what it was.",
    )
    expect_close(
        got["streams"],
        expected["streams"],
        "The random streams are not where two steps leave them: something seeded them anew or drew from them.",
    )
    expect(not got["autocast_on"], "After the call autocast is still on: whatever runs next would run under it.")
    expect(
        got["free"],
        "A step that somebody makes after the call no longer uses its gradients as they are: something of the call, such "
        "as a hook, was left on the optimizer or the model.",
    )
