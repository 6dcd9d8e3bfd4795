"""What `lr_factor`, `make_scheduler` and `train` must do.

A check says what its answer deviates in (`evidence`), then what must be true. A deviation that has a name is described
by that name alone, wherever a program makes it and however it continues; one that has none is given as it is. A check
of special cases first says what an ordinary curve deviates in; what a program does in special cases counts only where
that curve is right.

Tolerances. A factor is between 0 and 1 and right programs differ by rounding: 1e-16 in Python's floats, 1e-7 where a
program computes in float32. Mistakes move some factor by a hundredth and more. Weights follow rates, through momentum
and Adam: 2e-5 is a hundred times what rounding does to them and a hundredth of what mistakes do.
"""

import math
from itertools import pairwise, product

import torch

from judge.kit import close, expect, expect_close

NEAR = {"rtol": 1e-5, "atol": 2e-6}
CLOSE = {"rtol": 1e-3, "atol": 2e-5}
NO_NUMBER = "`lr_factor` must return a number for every update."
BEYOND = 4  # updates after the end that a curve is followed for


# --- lr_factor -------------------------------------------------------------------------------------------------------


def test_warm_up(learner, reference, rng, evidence):
    """The factor rises in equal steps, from 1/W at the first update to 1 at update W"""
    plan = draw_plan(rng)
    got, expected = curves(learner, reference, plan)
    evidence(**phase(shape(got, plan), "rise"))
    for update in range(1, plan["warmup"] + 1):
        expect_close(
            got[update - 1],
            expected[update - 1],
            "Warm-up over {warmup} updates: update {update} comes after {step} updates, so its factor is "
            "{update}/{warmup} = {expected:.4g}. `lr_factor` says {got:.4g}.",
            warmup=plan["warmup"],
            update=update,
            step=update - 1,
            **NEAR,
        )


def test_cosine(learner, reference, rng, evidence):
    """After update W the factor follows half a cosine, down to the floor at update S"""
    plan = draw_plan(rng)
    got, expected = curves(learner, reference, plan)
    evidence(**phase(shape(got, plan), "fall"))
    for update in range(plan["warmup"] + 1, plan["total"] + 1):
        expect_close(
            got[update - 1],
            expected[update - 1],
            "With {warmup} warm-up updates of {total} and a floor of {floor:.4g}, update {update} has the factor "
            "{expected:.4g}; `lr_factor` says {got:.4g}. Half a cosine leads from 1 at update {warmup} to the floor at "
            "update {total}.",
            update=update,
            **plan,
            **NEAR,
        )


def test_after_the_end(learner, reference, rng, evidence):
    """After update S the factor stays on the floor"""
    plan = draw_plan(rng)
    got, expected = curves(learner, reference, plan)
    far = [plan["total"] + rng.randint(10, 30), plan["total"] * rng.randint(10, 20)]
    evidence(**(deviation := phase(shape(got, plan), "end")))
    late = [number(value) for value in learner.factors(plan=plan, steps=far)]
    expect(None not in late, NO_NUMBER)
    if not deviation:
        evidence(far=close(late, [plan["floor"]] * 2, **NEAR))
    for update, factor, right in zip(
        [*range(plan["total"] + 1, plan["total"] + BEYOND + 1), *(step + 1 for step in far)],
        got[plan["total"] :] + late,
        expected[plan["total"] :] + [plan["floor"]] * 2,
        strict=True,
    ):
        expect_close(
            factor,
            right,
            "The schedule ends with update {total}. Whoever trains on stays on the floor, {expected:.4g}; for update "
            "{update} `lr_factor` says {got:.4g}.",
            total=plan["total"],
            update=update,
            **NEAR,
        )


def test_no_warm_up(learner, reference, rng, evidence):
    """With no warm-up the cosine begins at once; with one warm-up update it begins at the peak"""
    evidence(**(deviation := general(learner, rng)))
    for warmup in (0, 1):
        plan = draw_plan(rng, warmup=warmup)
        got, expected = curves(learner, reference, plan)
        if not deviation:
            evidence(right=close(got, expected, **NEAR))
        expect_close(
            got,
            expected,
            "With {warmup} warm-up updates of {total} the factors are not what they should be: with none, update 1 is "
            "already the first step down the cosine; with one, update 1 has the peak.",
            **NEAR,
            **{key: plan[key] for key in ("warmup", "total")},
        )


def test_all_warm_up(learner, reference, rng, evidence):
    """With warm-up over all S updates the last one has the peak, and the floor follows"""
    evidence(**(deviation := general(learner, rng)))
    for total in (rng.randint(4, 9), 1):
        plan = draw_plan(rng, warmup=total, total=total)
        got, expected = curves(learner, reference, plan)
        if not deviation:
            evidence(right=close(got, expected, **NEAR))
        expect_close(
            got,
            expected,
            "With warm-up over all {total} updates, update {total} has the peak and every later one the floor: there "
            "is no cosine between them.",
            total=total,
            **NEAR,
        )


def test_arguments(learner, reference, rng, evidence):
    """The floor is 0 unless given, arguments may be named, and the factor is a Python float"""
    evidence(**(deviation := general(learner, rng)))
    plan, steps = draw_plan(rng, floor=None), [*range(20), 60]
    got = learner.factors(plan=plan, steps=steps)
    named = learner.factors_by_name(plan={**plan, "floor": 0.25}, steps=steps)
    kinds = sorted({kind_of(value) for value in got + named} - {"float", "int"})
    values = [number(value) for value in got], [number(value) for value in named]
    expected = (
        [number(value) for value in reference.factors(plan=plan, steps=steps)],
        [number(value) for value in reference.factors_by_name(plan={**plan, "floor": 0.25}, steps=steps)],
    )
    if not deviation:
        evidence(kinds=kinds, right=[close(one, other, **NEAR) for one, other in zip(values, expected, strict=True)])
    expect(not kinds, "`lr_factor` returned a {kind}. The factor must be a Python float.", kind=", ".join(kinds))
    expect_close(
        values[0],
        expected[0],
        "Without `min_factor` the cosine goes down to 0.0. Called so, `lr_factor` gives other factors.",
        **NEAR,
    )
    expect_close(
        values[1],
        expected[1],
        "Called with all arguments by name (step, warmup_steps, total_steps, min_factor), `lr_factor` gives other "
        "factors.",
        **NEAR,
    )


def test_impossible_plans(learner, rng, evidence):
    """No updates at all, a negative warm-up or one longer than the run: ValueError"""
    total = rng.randint(5, 20)
    cases = [
        (0, 0, 0),
        (rng.randint(0, 4), 0, -rng.randint(1, 5), 0.1),
        (0, -1, total),
        (rng.randint(0, total), -rng.randint(2, 9), total, 0.1),
        (0, total + 1, total),
        (rng.randint(0, total + 3), total + rng.randint(2, 9), total, 0.1),
    ]
    errors = learner.refusals(cases=cases)
    refused = ["ValueError" in error for error in errors]
    evidence(refused=all(refused))
    for (step, warmup, total, *_), ok in zip(cases, refused, strict=True):
        expect(
            ok,
            "`lr_factor({step}, {warmup}, {total})` did not raise ValueError. There is no such schedule: S is at least "
            "1 and W lies between 0 and S.",
            step=step,
            warmup=warmup,
            total=total,
        )


# --- make_scheduler --------------------------------------------------------------------------------------------------


def test_scheduler(learner, reference, rng, device, evidence):
    """Stepped after each update, the scheduler gives every update its rate, also after the end"""
    setup = draw_schedule(rng, device, groups=1)
    got = learner.schedule(setup=setup)
    rates, expected = column(got["rates"], 0), column(reference.schedule(setup=setup)["rates"], 0)
    evidence(**first(shape([rate / setup["rates"][0] for rate in rates], setup["plan"])))
    expect(
        got["is_scheduler"] is True,
        "`make_scheduler` must return a torch scheduler: one of `torch.optim.lr_scheduler`, or an object of your own "
        "subclass of `LRScheduler`.",
    )
    expect_rates(rates, expected, setup["plan"], setup["rates"][0])


def test_scheduler_of_short_plans(learner, reference, rng, device, evidence):
    """The scheduler also does without warm-up, with one warm-up update, and with nothing but warm-up"""
    ordinary = draw_schedule(rng, device, groups=1)
    rates = column(learner.schedule(setup=ordinary)["rates"], 0)
    evidence(**(deviation := first(shape([rate / ordinary["rates"][0] for rate in rates], ordinary["plan"]))))
    total = rng.randint(5, 8)
    for warmup, floor in ((0, 0.2), (1, None), (total, 0.2)):
        plan = draw_plan(rng, warmup=warmup, total=total, floor=floor)
        setup = draw_schedule(rng, device, groups=1, plan=plan)
        rates = column(learner.schedule(setup=setup)["rates"], 0)
        expected = column(reference.schedule(setup=setup)["rates"], 0)
        if not deviation:
            evidence(right=close(rates, expected, **NEAR))
        expect_rates(rates, expected, plan, setup["rates"][0])


def test_each_group_has_its_base_rate(learner, reference, rng, device, evidence):
    """Each parameter group follows its own base rate"""
    setup = draw_schedule(rng, device, groups=3)
    got, expected = learner.schedule(setup=setup), reference.schedule(setup=setup)
    evidence(**groups_and_shape(got["rates"], setup))
    for group, base in enumerate(setup["rates"]):
        for update, (rates, right) in enumerate(zip(got["rates"], expected["rates"], strict=True), start=1):
            expect_close(
                rates[group],
                right[group],
                "The group with base rate {base:.4g} (the base rates are {all}) should use {expected:.4g} in update "
                "{update}, its own base rate times the factor; it uses {got:.4g}.",
                base=base,
                all=", ".join(f"{rate:.4g}" for rate in setup["rates"]),
                update=update,
                rtol=1e-5,
                atol=2e-6 * base,
            )
    expect_close(
        got["weights"], expected["weights"], "The rates are right, but the weights do not follow them.", **CLOSE
    )


def test_goes_on_from_a_saved_state(learner, rng, device, evidence):
    """New ones made the same way, given the states of the old ones, go on exactly"""
    orders = ["scheduler", "optimizer"], ["optimizer", "scheduler"]  # whoever loads them chooses
    runs = []
    for when, order in product(("warmup", "total"), orders):  # a break in the warm-up, and one on the way down
        setup = draw_schedule(rng, device, groups=2)
        setup |= {"break_after": setup["plan"][when] - rng.randint(2, 3), "loading_order": order}
        runs.append((setup, learner.schedule(setup=setup), learner.schedule_with_a_break(setup=setup)))
    evidence(after_loading=sorted({name for run in runs for name in after_loading(*run)}))
    for setup, straight, broken in runs:
        for update, (got, expected) in enumerate(zip(broken["rates"], straight["rates"], strict=True), start=1):
            for rate, right in zip(got, expected, strict=True):
                expect_close(
                    rate,
                    right,
                    "After {count} updates, a new optimizer and a new scheduler got the states of the old ones. Update "
                    "{update} then used the rate {got:.4g}; without the break it uses {expected:.4g}. What the "
                    "scheduler goes by must be in its `state_dict`.",
                    count=setup["break_after"],
                    update=update,
                    **NEAR,
                )
        expect_close(broken["weights"], straight["weights"], "After loading, the weights end elsewhere.", **CLOSE)


# --- train -----------------------------------------------------------------------------------------------------------


def test_training_follows_the_schedule(learner, reference, rng, device, figure, evidence):
    """Training gives update number t of all epochs * len(loader) its rate"""
    setup = draw_training(rng, device, groups=1)
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**training_facts(got, expected, setup))
    draw_rates(figure, got, expected, setup)
    base, used, right = setup["rates"][0], column(got["used"], 0), column(expected["used"], 0)
    expect(
        len(used) == len(right),
        "{epochs} epochs of {batches} batches are {expected} updates; the optimizer stepped {got} times.",
        epochs=setup["epochs"],
        batches=len(setup["sizes"]),
        expected=len(right),
        got=len(used),
    )
    update = next((i for i, pair in enumerate(zip(used, right, strict=True)) if not close(*pair, **NEAR)), 0)
    expect_close(
        used[update],
        right[update],
        "{epochs} epochs of {batches} batches, {warmup} updates of warm-up, base rate {base:.4g}: update {update} of "
        "{total} should use the rate {expected:.4g}, and used {got:.4g}.",
        epochs=setup["epochs"],
        batches=len(setup["sizes"]),
        warmup=setup["plan"]["warmup"],
        base=base,
        update=update + 1,
        total=len(right),
        **NEAR,
    )
    expect_close(
        trained(got),
        trained(expected),
        "Each update used the right rate, but the weights end elsewhere: each batch takes one forward pass, its own "
        "gradients and one step of the optimizer.",
        **CLOSE,
    )


def test_returns_the_rates_used(learner, rng, device, evidence):
    """What comes back is the first group's rate as each update used it"""
    setup = draw_training(rng, device, groups=2)
    got = learner.train(setup=setup)
    used, returned = column(got["used"], 0), got["returned"]
    evidence(log=log_fact(got, setup))
    expect(
        isinstance(returned, list) and all(kind_of(rate) in ("float", "int") for rate in returned),
        "`train` must return a list of Python floats, one for each update.",
    )
    expect(len(used) > 0, "The optimizer made no update at all.")
    expect(
        len(returned) == len(used),
        "The optimizer made {updates} updates, but {rates} rates came back: one for each update is asked for.",
        updates=len(used),
        rates=len(returned),
    )
    update = next((i for i, pair in enumerate(zip(returned, used, strict=True)) if not close(*pair, **NEAR)), 0)
    expect_close(
        returned[update],
        used[update],
        "Update {update} used the rate {expected:.4g} for the first group, but {got:.4g} was returned for it. Read the "
        "rate just before `optimizer.step()` uses it.",
        update=update + 1,
        **NEAR,
    )


def test_training_with_adam(learner, reference, rng, device, evidence):
    """Adam with two groups, dropout and a frozen bias end where the schedule leads, and a second run too"""
    setup = draw_training(rng, device, groups=2, optimizer="adam", dropout=0.3, frozen=True, hidden=8)
    setup["plan"]["floor"] = None  # left to the default
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**training_facts(got, expected, setup))
    expect_close(
        trained(got),
        trained(expected),
        "With Adam, dropout and two groups of different base rates, the weights or Adam's moments are not what the "
        "schedule leaves: each group's rate is its own base rate times the factor of the update.",
        **CLOSE,
    )
    expect_close(got["returned"], expected["returned"], "The rates returned are not those of the schedule.", **NEAR)
    again = learner.train(setup=setup)
    if close(got["weights"], expected["weights"], **CLOSE):
        evidence(again=close(again["weights"], expected["weights"], **CLOSE))
    expect_close(
        trained(again), trained(expected), "Called again with everything new, `train` ends elsewhere.", **CLOSE
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches and random streams are left as they were"""
    setup = draw_training(rng, device, groups=1, dropout=0.2)
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    same = {name: close(got[name], expected[name]) for name in ("batches", "streams")}
    evidence(**same)
    expect(same["batches"], "A batch was changed in place; the next epoch sees it changed.")
    expect(
        same["streams"],
        "The random streams are not where this training leaves them: something seeded them anew, drew from them, or "
        "made another number of forward passes than one a batch.",
    )


# --- what is drawn ---------------------------------------------------------------------------------------------------


def draw_plan(rng, **wanted):
    """A schedule with a warm-up and a floor that both show."""
    warmup = wanted.get("warmup", rng.randint(4, 6))
    plan = {"warmup": warmup, "total": warmup + rng.randint(10, 14), "floor": rng.uniform(0.1, 0.3)}
    return plan | wanted


def draw_schedule(rng, device, *, groups, plan=None):
    plan = plan or draw_plan(rng)
    base = rng.uniform(0.2, 0.5)
    rates = [base * scale for scale in rng.sample([1.0, 0.3, 2.5, 5.0], groups)]
    return {
        "device": device,
        "plan": plan,
        "rates": rates,
        "default_rate": rates[0] if groups == 1 else 1.7 * base,
        "optimizer": rng.choice(["sgd", "adam"]),
        "updates": plan["total"] + BEYOND,
    }


def draw_training(rng, device, *, groups, **wanted):
    epochs, batches = 4, rng.randint(5, 6)
    base = rng.uniform(0.03, 0.06)
    rates = [base * scale for scale in rng.sample([1.0, 0.4, 2.0], groups)]
    plan = {
        "warmup": 3,  # less than the epochs: who counts those gets numbers, too
        "total": epochs * batches,
        "floor": rng.uniform(0.1, 0.3),
    }
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "plan": plan,
        "epochs": epochs,
        "sizes": [rng.randint(4, 6)] * (batches - 1) + [rng.randint(2, 3)],
        "rates": rates,
        "default_rate": rates[0] if groups == 1 else 1.3 * base,
        "optimizer": "sgd",
        "momentum": rng.uniform(0.6, 0.9),
        "hidden": rng.randint(3, 5),
        "dropout": 0.0,
        "frozen": False,
        **wanted,
    }


# --- what deviates, by name ------------------------------------------------------------------------------------------


def factor(update, warmup, total, floor):
    """The definition: the factor of update `update`, counted from 1."""
    if update <= warmup:
        return update / warmup
    if update > total:
        return floor
    return floor + (1 - floor) * half_cosine((update - warmup) / (total - warmup))


def half_cosine(progress):
    return (1 + math.cos(math.pi * progress)) / 2


def shape(values, plan):
    """The phases in which a curve of factors for updates 1, 2, ... deviates; {} where it is right."""
    warmup, total = plan["warmup"], plan["total"]
    floor = plan["floor"] or 0.0
    right = [factor(update, warmup, total, floor) for update in range(1, len(values) + 2)]
    if any(value is None or not math.isfinite(value) for value in values):
        return {"whole": "not numbers"}
    if alike(values, right[:-1]):
        return {}
    if alike(values, right[1:]):
        return {"whole": "one update ahead"}
    if compounds(values, right):
        return {"whole": "compounds"}
    found = {
        "rise": rise(values[:warmup], right),
        "fall": fall(values[warmup - 1 : total], plan, floor),
        "end": end(values[total:], floor),
    }
    if found["rise"] in ("starts at zero", "no warm-up") and found["fall"] not in ("straight", "above the peak"):
        found["fall"] = "right"  # whoever counts otherwise at the beginning does so later too
    if found["fall"] == "not halved" and alike(values[: warmup - 1], right[: warmup - 1]):
        found["rise"] = "right"  # a cosine that begins with the peak itself
    return {name: deviation for name, deviation in found.items() if deviation != "right"}


def rise(values, right):
    warmup = len(values)
    inner = list(zip(values, right, strict=False))[:-1]
    if alike(values, right[:warmup]):
        return "right"
    if abs(values[0]) < 1e-9:
        return "starts at zero"
    if values[0] >= 0.9 and all(later <= earlier + 1e-6 for earlier, later in pairwise(values)):
        return "no warm-up"
    if abs(values[-1] - 1) < 1e-4 and all(0 < value < line - 1e-4 for value, line in inner):
        return "curved"
    return rounded(values)


def fall(values, plan, floor):
    """`values` begins with update W, the peak."""
    warmup, total = plan["warmup"], plan["total"]
    updates = range(warmup + 1, total + 1)
    values, peak = values[1:], values[0]
    if alike(values, [factor(update, warmup, total, floor) for update in updates]):
        return "right"
    for whole in (lambda height: 2 * height, lambda height: 2 * height - 1, lambda height: height + 0.5):
        heights = [whole(half_cosine((update - warmup) / (total - warmup))) for update in updates]
        if alike(values, [floor + (1 - floor) * height for height in heights]) or alike(values, heights):
            return "not halved"
    if max(values) > 1 + 1e-4:
        return "above the peak"
    if is_straight([value for value in values if value > floor + 1e-6]):
        return "straight"
    for ahead in (0, 1):
        for length in (total, total - 1, total + 1, total - warmup):
            progress = [(update - ahead) / length for update in updates]
            cosines = [half_cosine(done) for done in progress], [half_cosine(min(1.0, done)) for done in progress]
            if any(
                alike(values, [formed(height) for height in cosine])
                for cosine in cosines
                for formed in (
                    lambda height: floor + (1 - floor) * height,
                    lambda height: height,
                    lambda height: max(floor, height),
                )
            ):
                return "counted from the start" if abs(peak - 1) < 1e-4 else "counted from the start, no peak"
    falling = all(later <= earlier + 1e-6 for earlier, later in pairwise(values))
    if falling and values[0] > 0.85 and values[-1] > -1e-6 and abs(values[-1] - floor) > 1e-4:
        return "misses the floor"
    return rounded(values)


def end(values, floor):
    if not values or alike(values, [floor] * len(values)):
        return "right"
    if min(values) >= floor - 1e-6 and values[-1] > values[0] + 1e-6:
        return "climbs"
    if max(values) < floor - 1e-6:
        return "below the floor"
    return rounded(values)


def compounds(values, right):
    """Whether each value is the one before times the factor, wherever the program begins to count."""
    for shift in (-1, 0, 1):
        pairs = [
            (values[i] / values[i - 1], right[i + shift])
            for i in range(1, len(values))
            if values[i - 1] > 1e-9 and i + shift < len(right)
        ]
        if len(pairs) >= 3 and all(close(ratio, wanted, rtol=1e-3, atol=1e-6) for ratio, wanted in pairs):
            return True
    return False


def is_straight(values):
    steps = [later - earlier for earlier, later in pairwise(values)]
    return len(steps) >= 3 and steps[0] < -1e-4 and alike(steps, [steps[0]] * len(steps))


def first(found):
    """The first deviation of a shape alone."""
    return dict(list(found.items())[:1])


def phase(found, name):
    """The deviation in this phase; where it has none of its own, whatever the curve deviates in."""
    own = {key: found[key] for key in ("whole", name) if key in found}
    return own or found


def after_loading(setup, straight, broken):
    """How the rates after a break deviate from those without it, for each group that does."""
    done = setup["break_after"]
    return {
        deviation
        for group in range(len(setup["rates"]))
        if (deviation := after_break(column(broken["rates"], group), column(straight["rates"], group), done)) != "right"
    }


def after_break(values, right, done):
    if alike(values, right):
        return "right"
    later = values[done + 1 :]  # the first update has the rate that was saved with the optimizer
    if any(alike(later, right[begin : begin + len(later)]) for begin in (0, 1, 2) if begin <= done):
        return "counts anew"
    scales = [value / wanted for value, wanted in zip(later, right[done + 1 :], strict=True)]
    return "another base rate" if alike(scales, scales[:1] * len(scales)) else "elsewhere"


def training_facts(got, expected, setup):
    """What is peculiar about a training run: groups, schedule, log, or else the weights as they are."""
    facts = groups_and_shape(got["used"], setup) or {"log": log_fact(got, setup)}
    if facts == {"log": "as used"} and not close(got["weights"], expected["weights"], **CLOSE):
        return {"weights": trained(got)}
    return facts


def groups_and_shape(rates, setup):
    groups = list(range(len(setup["rates"])))
    columns = [column(rates, group) for group in groups]
    if len(groups) > 1 and len(rates) > 1:
        if all(alike(other, columns[0]) for other in columns[1:]):
            return {"groups": "one rate for all"}
        still = [alike(own, [base] * len(own)) for own, base in zip(columns, setup["rates"], strict=True)]
        if all(still[1:]) and not still[0]:
            return {"groups": "only the first follows"}
    return run_shape([rate / setup["rates"][0] for rate in columns[0]], setup)


def run_shape(values, setup):
    """The first deviation of the factors that the updates of a run have used."""
    plan, epochs = setup["plan"], setup.get("epochs")
    if epochs is None:
        return first(shape(values, plan))
    if len(values) != plan["total"]:
        return {"updates": len(values)}
    found = shape(values, plan)
    if not found:
        return {}
    if alike(values, values[:1] * len(values)):
        return {"whole": "never changes"}
    batches = len(setup["sizes"])
    if all(alike(values[i : i + batches], values[i : i + 1] * batches) for i in range(0, len(values), batches)):
        return {"whole": "changes once an epoch"}
    counted = [factor(update, plan["warmup"], epochs, plan["floor"] or 0.0) for update in range(1, len(values) + 1)]
    if alike(values, counted):
        return {"whole": "ends after as many updates as epochs"}
    return first(found)


def log_fact(got, setup):
    """How the rates returned are related to those that this run used."""
    returned = got["returned"]
    used = column(got["used"], 0)
    numbers = [number(rate) for rate in returned] if isinstance(returned, (list, tuple)) else None
    if numbers is None or None in numbers:
        return "not a list of numbers"
    if len(numbers) == len(used):
        if alike(numbers, used):
            plain = isinstance(returned, list) and all(kind_of(rate) in ("float", "int") for rate in returned)
            return "as used" if plain else "as used, but no floats"
        if alike(numbers[:-1], used[1:]):
            return "the next update's"
        if alike(numbers[1:], used[:-1]):
            return "that of the update before"
        if len(setup["rates"]) > 1 and alike(numbers, column(got["used"], 1)):
            return "another group's"
    if len(numbers) == setup["epochs"]:
        return "one an epoch"
    return rounded(numbers)


# --- small things ----------------------------------------------------------------------------------------------------


def curves(learner, reference, plan):
    """The factors of updates 1 to S and some more, as numbers: the learner's and the right ones."""
    steps = steps_of(plan)
    answers = [learner.factors(plan=plan, steps=steps), reference.factors(plan=plan, steps=steps)]
    got, expected = ([number(value) for value in answer] for answer in answers)
    expect(None not in got, NO_NUMBER)
    return got, expected


def general(learner, rng):
    """What an ordinary curve deviates in."""
    plan = draw_plan(rng)
    return first(shape([number(value) for value in learner.factors(plan=plan, steps=steps_of(plan))], plan))


def steps_of(plan):
    return list(range(plan["total"] + BEYOND))


def expect_rates(rates, expected, plan, base):
    for update, (rate, right) in enumerate(zip(rates, expected, strict=True), start=1):
        expect_close(
            rate,
            right,
            "Base rate {base:.4g}, {warmup} warm-up updates of {total}, floor {floor:.4g}: update {update} should use "
            "the rate {expected:.4g}; the scheduler gives it {got:.4g}.",
            base=base,
            update=update,
            warmup=plan["warmup"],
            total=plan["total"],
            floor=plan["floor"] or 0.0,
            rtol=1e-5,
            atol=2e-6 * base,
        )


def draw_rates(figure, got, expected, setup):
    """The learner's rates beside the expected ones; those returned too, where they are not those used."""
    used, returned = column(got["used"], 0), got["returned"]
    series = [{"label": "rate used by each update", "values": used}]
    if isinstance(returned, list) and not close(returned, used, **NEAR):
        series.append({"label": "rate returned", "values": [number(rate) for rate in returned]})
    series.append({"label": "expected", "values": column(expected["used"], 0), "dashed": True})
    figure(
        "lines",
        series=series,
        x_label="updates already made",
        y_label="rate",
        marks=[{"x": setup["plan"]["warmup"] - 1, "label": "end of warm-up"}],
    )


def trained(answer):
    return {part: answer[part] for part in ("weights", "buffers", "optimizer")}


def column(rows, index):
    return [row[index] for row in rows]


def number(value):
    """A number as a float, also where it came as a tensor; None for anything else."""
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex():
        return float(value)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def kind_of(value):
    return getattr(value, "type_name", type(value).__name__)


def alike(values, others):
    return len(values) == len(others) and close(list(values), list(others), rtol=1e-4, atol=1e-5)


def rounded(values):
    return [round(value, 4) for value in values]
