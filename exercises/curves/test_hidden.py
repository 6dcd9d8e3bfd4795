"""What `record`, `generalisation_gap` and `overfitting_since` must do.

Losses are multiples of 1/64, so "higher" and "lower" are never a matter of rounding, in single precision neither. Gaps are
compared to 2e-6, for who computes them in single precision.

Histories are laid out so that each check is about one thing. How many uneventful epochs stand before them is drawn, and how
high the losses are. One last check asks about many histories drawn at random: there the answers may differ for any reason, so
it says nothing about which mistake that is.
"""

import math

from judge.kit import close, expect, expect_close

NAN, INF = math.nan, math.inf
KEYS = ("train_loss", "val_loss")


# --- Histories -------------------------------------------------------------------------------------------------------


def history(rng, val, train=None, before=None):
    """Losses as high as the levels say, after some epochs in which both fall. Without `train` levels, that falls."""
    before = rng.randint(4, 6) if before is None else before  # more than any patience here
    train = [-2 * epoch for epoch in range(len(val))] if train is None else train
    unit, base = rng.randint(1, 4), rng.randint(200, 300)

    def losses(levels):
        highest = max((level for level in levels if math.isfinite(level)), default=0)
        lead = [highest + 3 * (before - epoch) for epoch in range(before)]
        return [(base + unit * level) / 64 if math.isfinite(level) else level for level in lead + list(levels)]

    return {"train_loss": losses(train), "val_loss": losses(val)}


def shown(losses):
    return ", ".join(f"{loss:.4g}" for loss in losses)


def named(value):
    """A value as a fact: what is not plain data by its type."""
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def asked(learner, reference, rng, evidence, cases, in_many_ways=False):
    """Ask for `overfitting_since` of each (history, patience), and expect what the reference says.

    A plain case is added, so that who finds nothing where nothing is found is told apart from who never finds anything.
    What a mistake answers `in_many_ways` is no evidence of it, only where it is wrong.
    """
    cases = [*cases, (history(rng, [12, 9, 5, 6, 8, 9, 11, 12, 14, 15]), 3)]
    got = [learner.since(histories=[case], patience=patience)[0] for case, patience in cases]
    expected = [reference.since(histories=[case], patience=patience)[0] for case, patience in cases]
    if in_many_ways:
        evidence(right=[is_answer(*pair) for pair in zip(got, expected, strict=True)])
    else:
        evidence(since=[named(answer) for answer in got])
    for answer, right, (case, patience) in zip(got, expected, cases, strict=True):
        expect_since(answer, right, case, patience)


def is_answer(got, expected):
    return close(got, expected) and type(got) is type(expected)


def expect_since(got, expected, case, patience):
    expect(
        is_answer(got, expected),
        "Validation losses {val}; training losses {train}; patience {patience}. The answer has to be {expected}, and it is "
        "{got}.",
        val=shown(case["val_loss"]),
        train=shown(case["train_loss"]),
        patience=patience,
        expected=expected,
        got=named(got),
    )


# --- record ----------------------------------------------------------------------------------------------------------


def draw_recording(rng, device, **wanted):
    epochs = rng.randint(4, 7)
    return {
        "device": device,
        "epochs": epochs,
        "train": rng.sample([number / 64 for number in range(10, 200)], epochs),
        "val": rng.sample([number / 64 for number in range(300, 600)], epochs),
        "by_name": False,
        **wanted,
    }


def origin(losses, setup):
    """Where the losses of a list come from, if that can be told."""
    if not isinstance(losses, list):
        return named(losses)
    for kind in ("train", "val"):
        if losses and all(isinstance(loss, float) and loss in setup[kind] for loss in losses):
            return kind
    return "elsewhere"


def recorded(got, setup):
    """What characterises a recording: which losses are in which list, and how many."""
    returned = got["returned"]
    if not isinstance(returned, dict):
        return {"returned": named(returned)}
    lists = {key: returned.get(key, "missing") for key in KEYS}
    facts = {key: origin(losses, setup) for key, losses in lists.items()}
    if facts["val_loss"] == "train":
        return facts  # however that came about
    return facts | {"lists": lists, "weight": got["weight"]}


def expect_recorded(got, expected, setup):
    returned = got["returned"]
    missing = [key for key in KEYS if not isinstance(returned, dict) or key not in returned]
    expect(
        not missing,
        "`record` has to return a dictionary with `train_loss` and `val_loss`. There is no {missing} in what came back.",
        missing=", ".join(f"`{key}`" for key in missing),
    )
    for key, function in (("train_loss", "train_epoch"), ("val_loss", "validate")):
        expect_close(
            returned[key],
            expected["returned"][key],
            "`{key}` has to be a list of the {epochs} numbers that `{function}(model)` returned. In each epoch, "
            "`train_epoch` is called once, and then `validate` once.",
            equal_nan=True,
            key=key,
            function=function,
            epochs=setup["epochs"],
        )
    expect_close(
        got["weight"],
        expected["weight"],
        "After {epochs} epochs the model has to be just as {epochs} calls of `train_epoch(model)` leave it.",
        epochs=setup["epochs"],
    )


def test_records_both_losses(learner, reference, rng, device, evidence):
    """Both losses of every epoch are recorded, in order"""
    setup = draw_recording(rng, device)
    got = learner.record(setup=setup)
    evidence(**recorded(got, setup))
    expect_recorded(got, reference.record(setup=setup), setup)


def test_records_to_the_end(learner, reference, rng, device, evidence):
    """All epochs are run, whatever the losses are, and no call knows of the one before"""
    rising = draw_recording(rng, device, by_name=True)
    rising["val"].sort()
    broken = draw_recording(rng, device)
    broken["train"][1], broken["val"][2], broken["val"][-1] = INF, NAN, -INF
    setups = [rising, broken]
    got, expected = learner.record_twice(setups=setups), reference.record_twice(setups=setups)
    evidence(runs=[recorded(answer, setup) for answer, setup in zip(got, setups, strict=True)])
    for answer, right, setup in zip(got, expected, setups, strict=True):
        expect_recorded(answer, right, setup)


# --- generalisation_gap ----------------------------------------------------------------------------------------------


def test_gap(learner, reference, rng, evidence):
    """The gap is validation minus training, for each epoch"""
    more = rng.randint(3, 6)
    train = [rng.randint(30, 50), rng.randint(30, 50), *(rng.randint(0, 90) for _ in range(more))]
    val = [rng.randint(60, 90), rng.randint(0, 20), *(rng.randint(0, 90) for _ in range(more))]  # above, and below
    histories = [history(rng, val[:1], train[:1], before=0), history(rng, val, train, before=0)]
    got, expected = learner.gaps(histories=histories), reference.gaps(histories=histories)
    evidence(gaps=[gap if isinstance(gap, list) else named(gap) for gap in got])
    for gap, right, case in zip(got, expected, histories, strict=True):
        expect_close(
            gap,
            right,
            "Training losses {train}; validation losses {val}. The gap has to be a list of floats, validation minus "
            "training in each epoch: {expected_gap}.",
            rtol=0.0,
            atol=2e-6,
            train=shown(case["train_loss"]),
            val=shown(case["val_loss"]),
            expected_gap=shown(right),
        )


# --- overfitting_since -----------------------------------------------------------------------------------------------


def test_first_epoch_above_the_lowest(learner, reference, rng, evidence):
    """The answer is the first epoch that stays above the lowest, not the lowest itself; epoch 1 at the earliest"""
    cases = [
        (history(rng, [12, 9, 5, 6, 8, 9, 11]), 3),
        (history(rng, [7, 3, 4, 5, 6, 9, 12]), 2),
        (history(rng, [5, 6, 7, 8, 9], before=0), 3),
        (history(rng, [5, 4, 6, 7], before=0), 1),
        (history(rng, [3, 4], before=0), 1),
        ({"train_loss": [0.75, 0.5, 0.25, 0.125, 0.0], "val_loss": [0.5, 0.0, 0.125, 0.25, 0.125]}, 3),
    ]
    asked(learner, reference, rng, evidence, cases)


def test_one_rise_is_not_enough(learner, reference, rng, evidence):
    """Validation has to stay above its lowest for `patience` epochs"""
    patience = rng.randint(3, 4)
    levels = [12, 8, 10, 6, 3, 5, 7, 9, 11, 13]
    second_only = history(rng, [9, 5, 5, 7, 4, 2])  # of two epochs: who asks for any finds them one epoch earlier
    asked(learner, reference, rng, evidence, [(history(rng, levels), patience), (second_only, 2)])


def test_compares_with_the_lowest(learner, reference, rng, evidence):
    """Each of these epochs is compared with the lowest before, not with its neighbour"""
    down_but_above = history(rng, [20, 6, 14, 11, 8, 9, 10, 12, 15])
    # Training rises first, so the answer is an epoch whose neighbour was not the lowest.
    later = history(rng, [5, 15, 14, 12, 9, 8, 10, 7], [20, 18, 19, 21, 16, 14, 12, 10], before=0)
    asked(learner, reference, rng, evidence, [(down_but_above, 3), (later, 3)])


def test_training_has_to_fall(learner, reference, rng, evidence):
    """While training does not fall, it is not overfitting"""
    train_rises = history(rng, [9, 4, 6, 7, 8, 3, 5, 6, 7], [40, 30, 31, 32, 33, 28, 26, 24, 22])
    everything_rises = history(rng, [9, 4, 6, 7, 8, 9, 11], [40, 30, 31, 32, 33, 34, 35], before=0)
    stands_still = history(rng, [9, 4, 6, 7, 8, 9, 11], [40, 30, 30, 30, 30, 30, 30], before=0)
    asked(learner, reference, rng, evidence, [(train_rises, 3), (everything_rises, 3), (stands_still, 3)])


def test_training_from_before_to_last(learner, reference, rng, evidence):
    """Training is compared at two epochs: the one before the answer, and the last of the `patience` epochs"""
    bump = history(rng, [9, 4, 6, 7, 8, 9], [40, 30, 36, 33, 28, 27])  # up at first, and at the end lower
    only_first = history(rng, [9, 4, 6, 7, 8, 3], [40, 30, 27, 29, 33, 34], before=0)  # down at first, and up again
    from_the_top = history(rng, [9, 4, 6, 7, 8, 3], [40, 30, 38, 36, 34, 33], before=0)  # falls, from higher up
    once_lower = history(
        rng, [9, 8, 4, 6, 7, 8, 9], [40, 10, 30, 28, 26, 24, 22], before=0
    )  # long before, and no matter
    asked(learner, reference, rng, evidence, [(bump, 3), (only_first, 3), (from_the_top, 3), (once_lower, 3)])


def test_equal_is_not_higher(learner, reference, rng, evidence):
    """A loss equal to the lowest is not higher than it"""
    cases = [(history(rng, [9, 4, 6, 4, 7, 5, 8, 9, 2]), 3), (history(rng, [9, 4, 4, 4, 4, 4, 2]), 2)]
    asked(learner, reference, rng, evidence, cases)


def test_window_at_the_end(learner, reference, rng, evidence):
    """All `patience` epochs have to be there: the last ones count, and where some are missing the answer is None"""
    patience = rng.randint(3, 4)
    just_enough = [12, 9, 5, *[6 + epoch for epoch in range(patience)]]
    cases = [
        (history(rng, just_enough), patience),
        (history(rng, just_enough[:-1]), patience),
        (history(rng, [*just_enough, 3]), patience),  # the lowest of all comes after the answer
        (history(rng, [12, 9, 8, 6, 5, 3]), 2),
        (history(rng, [9, 11], before=0), 2),
        (history(rng, [9], before=0), 1),
        (history(rng, [], before=0), 3),
    ]
    asked(learner, reference, rng, evidence, cases)


def test_nan(learner, reference, rng, evidence):
    """NaN is neither higher nor lower than anything, while the infinities are"""
    cases = [
        (history(rng, [NAN, 6, 8, 9, 10], before=0), 3),  # the lowest is 6
        (history(rng, [9, 4, NAN, 7, 8, 9]), 3),  # the window begins after the NaN
        (history(rng, [9, 4, 6, NAN, 8, NAN, 7, NAN]), 2),
        (history(rng, [9, 4, 6, 7, 8, 9], [40, 30, 28, 26, NAN, 22]), 3),
        (history(rng, [NAN, NAN, 5, 6], before=0), 1),
        (history(rng, [9, -INF, 4, 6, 7, 8], before=0), 3),  # the lowest is minus infinity
    ]
    asked(learner, reference, rng, evidence, cases, in_many_ways=True)


def test_default_patience(learner, reference, rng, evidence):
    """Without another wish the patience is 3"""
    histories = [history(rng, [12, 9, 10, 8, 9, 10, 5, 6, 7, 9, 4, 5, 6, 7, 8, 9, 10])]
    patience = rng.choice([2, 4])
    got = learner.since_by_default(histories=histories) + learner.since_by_name(histories=histories, patience=patience)
    expected = [reference.since(histories=histories, patience=wanted)[0] for wanted in (3, patience)]
    # Another default may be any, and which it is does not matter.
    evidence(right=[is_answer(*pair) for pair in zip(got, expected, strict=True)])
    for answer, right, wanted in zip(got, expected, (3, patience), strict=True):
        expect_since(answer, right, histories[0], wanted)


def test_refuses_patience_below_one(learner, rng, evidence):
    """A patience below 1 raises ValueError"""
    patiences = [0, -1, -rng.randint(2, 9)]
    errors = learner.refusals(history=history(rng, [9, 4, 6, 7, 8]), patiences=patiences)
    evidence(errors=["ValueError" in kinds for kinds in errors])
    for patience, kinds in zip(patiences, errors, strict=True):
        expect(
            bool(kinds),
            "With patience {patience} `overfitting_since` has to raise a ValueError, and it raised none.",
            patience=patience,
        )
        expect(
            "ValueError" in kinds,
            "With patience {patience} `overfitting_since` has to raise a ValueError, and it raised {error}.",
            patience=patience,
            error=kinds[0],
        )


def test_leaves_the_history_alone(learner, reference, rng, seed, evidence):
    """The history is only read, and random streams are left alone"""
    case = history(rng, [12, 5, 9, 7, 8, 6])
    got, expected = learner.left_alone(history=case, seed=seed), reference.left_alone(history=case, seed=seed)
    kept = {part: close(got[part], expected[part]) for part in ("history", "streams")}
    evidence(**kept)
    expect(kept["history"], "The history was changed: its lists are not what they were before.")
    expect(kept["streams"], "The random streams were seeded anew, or drawn from.")


# --- All of it -------------------------------------------------------------------------------------------------------


def test_overfitting_run(learner, reference, rng, device, figure, evidence):
    """A real training that overfits: its two curves, and since when"""
    setup = draw_overfitting(reference, rng, device)
    got, expected = learner.overfit(setup=setup), reference.overfit(setup=setup)
    history_right = close(lists_of(got["history"]), lists_of(expected["history"]), rtol=1e-4, atol=1e-5)
    evidence(right=history_right and is_answer(got["since"], expected["since"]))
    draw_curves(figure, got)
    expect(history_right, "`record` did not record the losses that this training gives.")
    expect_since(got["since"], expected["since"], expected["history"], 3)


def test_many_histories(learner, reference, rng, evidence):
    """Many more histories, of all kinds"""
    asked_for = {patience: [random_history(rng) for _ in range(60)] for patience in (1, 2, 3, 4)}
    got = {patience: learner.since(histories=cases, patience=patience) for patience, cases in asked_for.items()}
    expected = {patience: reference.since(histories=cases, patience=patience) for patience, cases in asked_for.items()}
    evidence(right=close(got, expected))
    for patience, cases in asked_for.items():
        for answer, right, case in zip(got[patience], expected[patience], cases, strict=True):
            expect_since(answer, right, case, patience)


def random_history(rng):
    """Losses that often repeat, with a bump or a trend, and now and then one that is no number."""
    epochs = rng.randint(0, 12)
    slope = rng.choice([-1, 0, 1])
    odd = rng.choice([0.0, 0.1, 0.25])

    def losses(slope):
        levels = [10 + slope * epoch + rng.randint(-3, 3) for epoch in range(epochs)]
        return [rng.choice([NAN, NAN, INF, -INF]) if rng.random() < odd else level / 4 for level in levels]

    return {"train_loss": losses(-1), "val_loss": losses(slope)}


def draw_overfitting(reference, rng, device):
    """A task that the reference calls overfitting, after some epochs that are not: one draw in three or so is one."""
    for _ in range(40):
        setup = {
            "seed": rng.randrange(2**31),
            "device": device,
            "epochs": 24,
            "size": rng.randint(13, 16),
            "noise": rng.uniform(0.8, 1.2),
            "lr": rng.uniform(0.02, 0.03),
        }
        run = reference.overfit(setup=setup)
        val_loss, since = run["history"]["val_loss"], run["since"]
        if since is not None and 5 <= since <= 16 and val_loss[-1] > 1.04 * min(val_loss):
            break
    return setup


def lists_of(history):
    """The two lists alone: what else is in the dictionary does not matter."""
    return [history.get(key) for key in KEYS] if isinstance(history, dict) else None


def draw_curves(figure, got):
    def drawable(values):
        numbers = values if isinstance(values, list) else []
        return [value if isinstance(value, (int, float)) and math.isfinite(value) else None for value in numbers]

    recorded = got["history"] if isinstance(got["history"], dict) else {}
    since = got["since"]
    figure(
        "lines",
        series=[
            {"label": "training loss", "values": drawable(recorded.get("train_loss"))},
            {"label": "validation loss", "values": drawable(recorded.get("val_loss"))},
            {"label": "gap", "values": drawable(got["gap"]), "dashed": True},
        ],
        x_label="epoch",
        y_label="loss",
        marks=[{"x": since, "label": "overfitting since"}] if type(since) is int else [],
    )
