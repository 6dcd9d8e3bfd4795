"""What `fit` must do, with losses as each check needs them and weights that really move.

The losses are multiples of 1/64, so that `best - min_delta` has no rounding and "lower" is never a matter of it.

Tolerances. Each epoch moves weights and running statistics by a tenth or so; copying moves nothing. So what a model
holds is the state of the one epoch that it agrees with to 1e-5, or of none.

A check is about one thing, and the losses are laid so that mistakes about other things change nothing in it, as far as
that can be.
"""

import itertools
import math

from judge.kit import close, expect, expect_close

HELD = 1e-5
NAN, INF = math.nan, math.inf
KEYS = ("train_loss", "val_loss", "best_epoch", "stopped_early")


# --- What the losses are ---------------------------------------------------------------------------------------------


def draw(rng, device, levels, *, by_name=False, unit=None, base=None, **options):
    """A run whose validation losses are as high as `levels` say, while the training loss falls in every epoch."""
    unit = unit or rng.randint(2, 6)
    base = base or rng.randint(64, 128)
    falling = [rng.randint(1, 9) for _ in levels]
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "val": [(base + unit * level) / 64 if math.isfinite(level) else level for level in levels],
        "train": [(400 - sum(falling[: epoch + 1])) / 64 for epoch in range(len(levels))],
        "max_epochs": len(levels),
        "by_name": by_name,
        **options,
    }


def descent(rng, to, epochs=None):
    """Levels that fall to `to`."""
    epochs = epochs or rng.randint(2, 4)
    return [to + 2 * (epochs - 1 - epoch) for epoch in range(epochs)]


def ascent(rng, above, epochs):
    """Levels that rise, all higher than `above`."""
    return [above + rng.randint(1, 2) + 3 * epoch for epoch in range(epochs)]


# --- What came of it -------------------------------------------------------------------------------------------------


def named(value):
    """A value as a fact: what is not plain data by its type."""
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def account(got):
    """How long training went on, and what `fit` says about it."""
    returned = got["returned"]
    if not isinstance(returned, dict):
        return {"trained": got["trained"], "returned": type(returned).__name__}
    val_loss = returned.get("val_loss")
    return {
        "trained": got["trained"],
        "recorded": len(val_loss) if isinstance(val_loss, list) else named(val_loss),
        "best": named(returned.get("best_epoch", "missing")),
        "stopped": named(returned.get("stopped_early", "missing")),
    }


def epoch_of(held, states, part, kind=None):
    """The number of epochs after which a model trained undisturbed holds what `held` does; None if it never does."""

    def chosen(state):
        tensors = state[part].values()
        return [
            tensor.double() for tensor in tensors if kind is None or tensor.is_floating_point() == (kind == "float")
        ]

    def apart(state):
        pairs = list(zip(chosen(held), chosen(state), strict=False))
        alike = len(held[part]) == len(state[part]) and all(one.shape == other.shape for one, other in pairs)
        return max((one - other).abs().max().item() for one, other in pairs) if alike else INF

    distances = [apart(state) for state in states]
    nearest = min(range(len(states)), key=lambda index: (not distances[index] <= HELD, distances[index]))
    return nearest if distances[nearest] <= HELD else None


def shown(losses):
    return ", ".join(f"{loss:.4g}" for loss in losses)


def expect_account(got, expected, setup):
    """Training ended when it should, and the answer tells how."""
    right, returned = account(expected), got["returned"]
    expect_answer(returned)
    losses = shown(setup["val"])
    patience = setup.get("patience", 3)
    expect(
        got["trained"] == right["trained"],
        "The validation losses are {losses}, the patience is {patience}, `min_delta` is {min_delta:.4g}. Training has to "
        "end after {expected} epochs, and {got} were trained. What counts is how many epochs in a row have not improved "
        "on the best one.",
        losses=losses,
        patience=patience,
        min_delta=setup.get("min_delta", 0.0),
        expected=right["trained"],
        got=got["trained"],
    )
    best = named(returned["best_epoch"])
    expect(
        best == right["best"] and type(best) is type(right["best"]),
        "The validation losses are {losses}, the patience is {patience}, `min_delta` is {min_delta:.4g}. `best_epoch` has "
        "to be {expected}, counted from 0, and it is {got}.",
        losses=losses,
        patience=patience,
        min_delta=setup.get("min_delta", 0.0),
        expected=right["best"],
        got=best,
    )
    expect(
        returned["stopped_early"] is right["stopped"],
        "The validation losses are {losses}, the patience is {patience}. `stopped_early` has to be {expected}, and it is "
        "{got}: it tells whether the patience ran out.",
        losses=losses,
        patience=patience,
        expected=right["stopped"],
        got=named(returned["stopped_early"]),
    )


def expect_accounts(learner, reference, evidence, setups):
    """The same of several runs, one call after the other."""
    got, expected = learner.follow_all(setups=setups), reference.follow_all(setups=setups)
    evidence(accounts=[account(answer) for answer in got])
    for answer, right, setup in zip(got, expected, setups, strict=True):
        expect_account(answer, right, setup)


def expect_answer(returned):
    missing = [key for key in KEYS if not isinstance(returned, dict) or key not in returned]
    expect(
        not missing,
        "`fit` has to return a dictionary with `train_loss`, `val_loss`, `best_epoch` and `stopped_early`. There is no "
        "{missing} in what came back.",
        missing=", ".join(f"`{key}`" for key in missing),
    )


# --- The checks ------------------------------------------------------------------------------------------------------


def test_history(learner, reference, rng, device, evidence):
    """The losses that the two functions gave come back, in order"""
    setup = draw(rng, device, descent(rng, 4, epochs=rng.randint(5, 6)), patience=2)
    setup["train"][1:3] = [NAN, NAN]  # which decides nothing
    got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
    returned = got["returned"]
    evidence(
        returned=returned if not isinstance(returned, dict) else {key: returned.get(key, "missing") for key in KEYS}
    )
    expect_answer(returned)
    expect_lists(returned, expected["returned"])
    expect_account(got, expected, setup)


def expect_lists(returned, right):
    for key in ("train_loss", "val_loss"):
        expect_close(
            returned[key],
            right[key],
            "`{key}` has to be a list of the {epochs} numbers that came back from the calls, one for each epoch of this run.",
            equal_nan=True,
            key=key,
            epochs=len(right[key]),
        )


def test_stops_after_patience(learner, reference, rng, device, evidence):
    """Training stops after `patience` epochs in a row that are not better than the best"""
    patience = rng.randint(3, 5)
    first = rng.randint(12, 14)
    second = first - 6
    levels = [
        *descent(rng, first),
        *[first + rise for rise in (6, 3, 5, 2)[: patience - 1]],  # up, and down a little: not better than the best
        second,
        *[second + rise for rise in (4, 6, 3, 5, 2)[:patience]],
        *[second + rise for rise in (8, 7, -4, -5)],
    ]
    of_one = draw(rng, device, [*descent(rng, 5, epochs=3), 6, 7, 3, 2], patience=1)
    expect_accounts(learner, reference, evidence, [draw(rng, device, levels, patience=patience), of_one])


def test_stops_in_the_last_epoch(learner, reference, rng, device, evidence):
    """`stopped_early` is True exactly when the patience ran out, in the last epoch too"""
    patience = rng.randint(2, 4)
    down = descent(rng, 6)
    setup = draw(rng, device, [*down, *ascent(rng, 6, patience)], base=400, patience=patience)
    short = draw(rng, device, [*down, *ascent(rng, 6, patience - 1)], patience=patience)
    expect_accounts(learner, reference, evidence, [setup, short])


def test_best_weights_when_stopped(learner, reference, rng, device, evidence):
    """When training stops early, the model holds the parameters and buffers of the best epoch"""
    patience = rng.randint(3, 5)
    levels = [*descent(rng, 6, epochs=2), *ascent(rng, 6, patience + 3)]
    expect_held(learner, reference, evidence, draw(rng, device, levels, patience=patience))


def test_best_weights_when_not_stopped(learner, reference, rng, device, evidence):
    """When training runs to the end, the model holds those of the best epoch all the same"""
    levels = [*descent(rng, 6), *ascent(rng, 6, rng.randint(2, 3))]
    expect_held(learner, reference, evidence, draw(rng, device, levels, patience=rng.randint(6, 9)))


def expect_held(learner, reference, evidence, setup):
    got, states = learner.follow(setup=setup), reference.states(setup=setup)
    expected = reference.follow(setup=setup)
    parts = [("weights", "float"), ("buffers", "float"), ("buffers", "int")]
    held = [epoch_of(got, states, *part) for part in parts]
    evidence(held=held)
    best = expected["returned"]["best_epoch"]
    values = {"losses": shown(setup["val"][: expected["trained"]]), "best": best}
    for (part, _), epochs in zip(parts, held, strict=True):
        expect(epochs is not None, HOLDS_NONE[part], **values)
        expect(epochs == best + 1, HOLDS_ANOTHER[part], held=epochs - 1, **values)


HOLDS_NONE = {
    "weights": "The validation losses are {losses}. The model has to hold the parameters of epoch {best}, and what it "
    "holds is that of no epoch.",
    "buffers": "The validation losses are {losses}. The model has to hold the buffers of epoch {best} (what `state_dict` "
    "has besides the parameters), and what it holds is that of no epoch.",
}
HOLDS_ANOTHER = {
    "weights": "The validation losses are {losses}. The model has to hold the parameters of epoch {best}, and it holds "
    "those of epoch {held}.",
    "buffers": "The validation losses are {losses}. The model has to hold the buffers of epoch {best} (what `state_dict` "
    "has besides the parameters), and it holds those of epoch {held}.",
}


def test_nothing_loaded_before_the_end(learner, reference, rng, device, evidence):
    """While training goes on, nothing is loaded into the model"""
    bad = rng.randint(2, 3)
    levels = [*descent(rng, 6), *ascent(rng, 6, bad), 4, *ascent(rng, 4, bad), 2]
    setup = draw(rng, device, levels, patience=2 * bad + rng.randint(1, 3))
    got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
    evidence(weights=got["weights"])
    expect_close(
        [got["weights"], got["buffers"]],
        [expected["weights"], expected["buffers"]],
        "The last epoch of this run is its best, so the model has to hold just what {epochs} epochs of training make of it. "
        "It holds something else: its weights were changed on the way.",
        rtol=HELD,
        atol=HELD,
        epochs=len(levels),
    )


def test_min_delta(learner, reference, rng, device, evidence):
    """An epoch improves when it is lower than the best by more than `min_delta`; an equal one does not"""
    delta = 2 * rng.randint(2, 3)  # in levels
    levels = [
        30,
        30 - delta,  # exactly min_delta lower: not more than that
        30 - delta // 2,
        30 - delta - 1,  # better, by one more than min_delta
        31 - delta,
        28 - delta,  # lower than ever, but not by enough
        27 - delta,
        28 - delta,  # the fourth in a row
        20 - delta,
        19 - delta,
        20 - delta,
    ]
    unit = rng.randint(2, 6)
    setup = draw(rng, device, levels, unit=unit, patience=4, min_delta=delta * unit / 64)
    # Down by less than min_delta twice, and by more than that together; losses below 1.
    slow = draw(rng, device, [30, 27, 25, 25, 25], unit=1, base=rng.randint(1, 8), patience=4, min_delta=4 / 64)
    patience = rng.randint(2, 3)
    equal = draw(rng, device, [*descent(rng, 6), *[6] * (patience + 2), 4], patience=patience)
    setups = [setup, slow, equal]
    got, expected = learner.follow_all(setups=setups), reference.follow_all(setups=setups)
    states = [reference.states(setup=setup) for setup in setups]
    held = [epoch_of(answer, undisturbed, "weights") for answer, undisturbed in zip(got, states, strict=True)]
    right = [epoch_of(answer, undisturbed, "weights") for answer, undisturbed in zip(expected, states, strict=True)]
    evidence(accounts=[account(answer) for answer in got], held=held)
    for index, setup in enumerate(setups):
        expect_account(got[index], expected[index], setup)
        expect(
            held[index] == right[index],
            "The validation losses are {losses} and `min_delta` is {min_delta:.4g}. The model has to hold the weights of "
            "the last epoch that improved by more than that.",
            losses=shown(setup["val"]),
            min_delta=setup.get("min_delta", 0.0),
        )


def test_zero_is_a_number(learner, reference, rng, device, evidence):
    """Epoch 0 may be the best epoch, and 0.0 the best loss"""
    patience = rng.randint(2, 3)
    at_once = draw(rng, device, [0, *ascent(rng, 0, patience + 1)], patience=patience)
    to_nothing = draw(rng, device, [*descent(rng, 6), *ascent(rng, 6, patience + 1)], patience=patience)
    to_nothing["val"] = [loss - min(to_nothing["val"]) for loss in to_nothing["val"]]
    setups = [at_once, to_nothing]
    got, expected = learner.follow_all(setups=setups), reference.follow_all(setups=setups)
    states = [reference.states(setup=setup) for setup in setups]
    held = [epoch_of(answer, undisturbed, "weights") for answer, undisturbed in zip(got, states, strict=True)]
    right = [epoch_of(answer, undisturbed, "weights") for answer, undisturbed in zip(expected, states, strict=True)]
    evidence(accounts=[account(answer) for answer in got], held=held)
    for index, setup in enumerate(setups):
        expect_account(got[index], expected[index], setup)
        expect(
            held[index] == right[index],
            "The validation losses are {losses}. The best epoch is epoch {best}, and the model has to hold its weights at "
            "the end. It holds others.",
            losses=shown(setup["val"]),
            best=right[index] - 1,
        )


def test_nan_is_not_better(learner, reference, rng, device, evidence):
    """NaN is no improvement"""
    setup = draw(rng, device, [*descent(rng, 6), NAN], patience=3)
    got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
    states = reference.states(setup=setup)
    held, right = epoch_of(got, states, "weights"), epoch_of(expected, states, "weights")
    evidence(**account(got), held=held)
    expect_account(got, expected, setup)
    expect(
        held == right,
        "The validation losses are {losses}. The model has to hold the weights of epoch {best}, and not those of the NaN.",
        losses=shown(setup["val"]),
        best=right - 1,
    )


def test_nan_counts(learner, reference, rng, device, evidence):
    """An epoch with NaN counts as one without improvement"""
    down = descent(rng, 6)
    patience = rng.randint(4, 5)
    levels = [*down, 8, NAN, NAN, *ascent(rng, 9, patience - 3), *ascent(rng, 20, 7)]
    setup = draw(rng, device, levels, patience=patience)
    got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
    evidence(**account(got))
    expect_account(got, expected, setup)


def test_infinities_are_not_better(learner, reference, rng, device, evidence):
    """Neither infinity is an improvement, and both count as epochs without one"""
    patience = rng.randint(3, 4)
    levels = [*descent(rng, 6), -INF, 4, INF, -INF, *ascent(rng, 9, patience + 3)]
    setup = draw(rng, device, levels, patience=patience)
    got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
    evidence(**account(got))
    expect_account(got, expected, setup)


def test_first_finite_improves(learner, reference, rng, device, evidence):
    """The first finite loss is an improvement, whatever came before it and however high it is"""
    after_nan = draw(rng, device, [NAN, 9, *ascent(rng, 9, 2)], patience=4, min_delta=rng.randint(300, 600) / 64)
    high = 2.0 ** rng.randint(300, 900)
    very_high = draw(rng, device, [1, 2, 3], patience=4) | {"val": [high, 2 * high, 4 * high]}
    expect_accounts(learner, reference, evidence, [after_nan, very_high])


def test_no_finite_loss(learner, reference, rng, device, evidence):
    """Without a finite loss there is no best epoch, and the model stays as training left it"""
    patience = rng.randint(2, 4)
    nothing = draw(rng, device, [NAN] * (patience + 2), patience=patience)
    infinite = draw(rng, device, [INF] * (patience + 2), patience=patience)
    facts = []
    for setup in (nothing, infinite):
        got, expected = learner.follow(setup=setup), reference.follow(setup=setup)
        held = epoch_of(got, reference.states(setup=setup), "weights")
        facts.append((got, expected, setup, held))
    evidence(runs=[[account(got), held] for got, _, _, held in facts])
    for got, expected, setup, held in facts:
        expect_account(got, expected, setup)
        expect(
            held == expected["trained"],
            "The validation losses are {losses}: no epoch is the best. Then nothing is loaded into the model; it stays as "
            "the last epoch left it.",
            losses=shown(setup["val"]),
        )


def test_defaults(learner, reference, rng, device, evidence):
    """Without other wishes the patience is 3, and every lower loss is an improvement"""
    levels = [*descent(rng, 9), 11, 10, 8, *ascent(rng, 8, 5)]
    by_position = draw(rng, device, levels, base=400)  # higher than the other: what is kept of it changes nothing
    by_name = draw(rng, device, levels, by_name=True)
    for setup in (by_position, by_name):
        setup["val"] = [loss / 1024 for loss in setup["val"]]  # steps far below any min_delta but 0
    setups = [by_position, by_name]
    got, expected = learner.follow_all(setups=setups), reference.follow_all(setups=setups)
    # Other defaults may be any, and which they are does not matter.
    evidence(right=[close(account(answer), account(right)) for answer, right in zip(got, expected, strict=True)])
    for answer, right, setup in zip(got, expected, setups, strict=True):
        expect_account(answer, right, setup)


def test_refuses_patience_below_one(learner, rng, device, evidence):
    """A patience below 1 raises ValueError"""
    patiences = [0, -1, -rng.randint(2, 9)]
    errors = learner.refusals(setup=draw(rng, device, descent(rng, 6)), patiences=patiences)
    evidence(errors=["ValueError" in kinds for kinds in errors])
    for patience, kinds in zip(patiences, errors, strict=True):
        expect(
            bool(kinds),
            "With patience {patience} `fit` has to raise a ValueError, and it raised none.",
            patience=patience,
        )
        expect(
            "ValueError" in kinds,
            "With patience {patience} `fit` has to raise a ValueError, and it raised {error}.",
            patience=patience,
            error=kinds[0],
        )


def test_again(learner, reference, rng, device, evidence):
    """A second call knows nothing of the first"""
    setups = [draw(rng, device, [*descent(rng, to), *ascent(rng, to, 2)], patience=4) for to in (3, 9)]
    setups[1]["val"] = [loss + 2.0 for loss in setups[1]["val"]]  # nowhere as low as in the first call
    got, expected = learner.follow_all(setups=setups), reference.follow_all(setups=setups)
    held = [
        epoch_of(answer, reference.states(setup=setup), "weights") for answer, setup in zip(got, setups, strict=True)
    ]
    evidence(second=account(got[1]), held=held[1])
    expect_account(got[1], expected[1], setups[1])
    expect_lists(got[1]["returned"], expected[1]["returned"])
    expect_close(
        got[1]["weights"],
        expected[1]["weights"],
        "In the second of two calls, with another model, the model does not end with the weights of its own best epoch.",
        rtol=HELD,
        atol=HELD,
    )


# --- The run with real losses ----------------------------------------------------------------------------------------


def test_overfitting(learner, reference, rng, device, figure, evidence):
    """A run that overfits ends with the weights of its best epoch"""
    setup = draw_overfitting(reference, rng, device)
    got, expected = learner.overfit(setup=setup), reference.overfit(setup=setup)
    returned, right = got["returned"], expected["returned"]
    parts = ("weights", "buffers")
    held = [close(got[part], expected[part], rtol=1e-3, atol=1e-5) for part in parts]
    evidence(returned=returned, left=got["left"], held=held)
    expect_answer(returned)
    draw_losses(figure, returned, got["left"])
    best = right["best_epoch"]
    for key in ("train_loss", "val_loss"):
        expect(isinstance(returned[key], list), "`{key}` has to be a list with one loss for each epoch.", key=key)
        expect_close(
            returned[key][: best + 1],
            right[key][: best + 1],
            "Up to its best epoch, the losses of this run are not those of `train_epoch(model)` followed by "
            "`validate(model)`, once in each epoch, on the model as training leaves it.",
            rtol=1e-3,
            atol=1e-5,
        )
    expect_close(
        [returned[key] for key in KEYS],
        [right[key] for key in KEYS],
        "This run has to end after {epochs} epochs, with epoch {best} as the best one. Your answer says that it ended "
        "after {got_epochs}, with epoch {got_best} as the best.",
        rtol=1e-3,
        atol=1e-5,
        epochs=len(right["val_loss"]),
        best=best,
        got_epochs=len(returned["val_loss"]),
        got_best=named(returned["best_epoch"]),
    )
    expect_close(
        [got[part] for part in ("left", "weights", "buffers")],
        [expected[part] for part in ("left", "weights", "buffers")],
        "The lowest validation loss of this run was {lowest:.4g}. The parameters and buffers that are left in the model "
        "give {left:.4g}, and are not those of that epoch.",
        rtol=1e-3,
        atol=1e-5,
        lowest=expected["left"],
        left=got["left"],
    )
    expect_close(
        got["streams"],
        expected["streams"],
        "The random streams are not where the epochs of this run leave them: something seeded them anew, drew from them, "
        "or trained more epochs.",
    )


def draw_overfitting(reference, rng, device):
    """A task that the reference overfits on: the validation loss falls, turns once, and rises until it stops.

    Two of three draws are like that. If by a chance of one in a thousand million none is, the last one will do.
    """
    for _ in range(20):
        size = rng.randint(9, 11)
        setup = {
            "seed": rng.randrange(2**31),
            "device": device,
            "max_epochs": 30,
            "patience": rng.randint(4, 5),
            "sizes": [size, size - rng.randint(3, 4)],
            "noise": rng.uniform(1.5, 2.5),
            "hidden": rng.randint(24, 32),
            "dropout": rng.uniform(0.05, 0.1),
            "lr": rng.uniform(0.02, 0.03),
        }
        run = reference.overfit(setup=setup)["returned"]
        losses, best = run["val_loss"], run["best_epoch"]
        steps = [after - before for before, after in itertools.pairwise(losses)]
        turns_once = all(step < 0 for step in steps[:best]) and all(step > 0 for step in steps[best:])
        if run["stopped_early"] and best >= 2 and turns_once and losses[-1] > 1.05 * losses[best]:
            break
    return setup


def draw_losses(figure, returned, left):
    def drawable(values):
        numbers = values if isinstance(values, list) else []
        return [value if isinstance(value, (int, float)) and math.isfinite(value) else None for value in numbers]

    train_loss, val_loss = drawable(returned["train_loss"]), drawable(returned["val_loss"])
    best, stopped = returned["best_epoch"], returned["stopped_early"]
    marks = [{"x": best, "label": "best epoch"}] if type(best) is int else []
    if stopped is True and val_loss:
        marks.append({"x": len(val_loss) - 1, "label": "stop"})
    figure(
        "lines",
        series=[
            {"label": "training loss", "values": train_loss},
            {"label": "validation loss", "values": val_loss},
            {
                "label": "validation loss of the weights left in the model",
                "values": [left] * len(val_loss),
                "dashed": True,
            },
        ],
        x_label="epoch",
        y_label="loss",
        marks=marks,
    )
