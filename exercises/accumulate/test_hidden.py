"""What `train_accumulated` must do.

Most checks use a tape: a linear model in which every batch has a weight of its own, whose gradient does not depend on
any weight. So where a weight ends tells how much its batch counted: its share. By the shares, a mistake has the same
name however a program makes it (`habits`); only what has no name is given as numbers. Small real networks, with
momentum and Adam, then decide whether the numbers are those of large batches.

Tolerances. Right programs differ in the order in which they add and in how they guard the division when clipping (torch
adds 1e-6 to the norm): a few parts in a million of a gradient, less than 1e-5 of a weight after the updates made here.
Mistakes move shares and weights by a hundredth and more.
"""

import math
from itertools import pairwise

from judge.kit import close, expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}
SHARES = {"rtol": 1e-3, "atol": 1e-4}
UNCLIPPED = 1e4  # far above every gradient here
# How large the inputs of a training's batches are: some windows are clipped, and the left over batches are or are not.
# Where they are, nothing tells whether they counted too little.
UNCLIPPED_AT_THE_END = [0.3, 0.3, 0.3, 6.0, 6.0, 6.0, 0.3, 0.3]
CLIPPED_AT_THE_END = [6.0, 6.0, 6.0, 0.3, 0.3, 0.3, 6.0, 6.0]


def test_one_window_is_one_large_batch(learner, reference, rng, device, figure, evidence):
    """A window of unequal batches makes the update of one large batch"""
    sizes = unequal(rng, rng.randint(3, 4))
    setup = draw_training(
        rng, device, sizes=sizes, accum_steps=len(sizes), max_norm=UNCLIPPED, momentum=0.0, epochs=1, frozen=False
    )
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**habits(learner, rng, device) or weights_of(got))
    figure(
        "lines",
        series=[
            {"label": "your update", "values": got["change"]},
            {"label": "one large batch", "values": expected["change"], "dashed": True},
        ],
        x_label="parameter",
        y_label="change by the update",
    )
    expect_close(
        weights_of(got),
        weights_of(expected),
        "{batches} batches of {sizes} samples make one window. Its update is not that of one batch of all {samples} "
        "samples.",
        batches=len(sizes),
        sizes=", ".join(map(str, sizes)),
        samples=sum(sizes),
        **CLOSE,
    )


def test_batches_weigh_by_their_samples(learner, rng, device, evidence):
    """In a whole window each batch counts by its share of the window's samples"""
    accum_steps = rng.randint(3, 4)
    setup = draw_tape(
        rng, device, sizes=[size for _ in range(2) for size in unequal(rng, accum_steps)], accum_steps=accum_steps
    )
    got = learner.tape(setup=setup)
    evidence(**only(shares_fact(got, setup), "steps", "whole"))
    expect_shares(got, setup)


def test_the_last_window_updates_too(learner, rng, device, evidence):
    """The batches left over at the end make an update of their own"""
    accum_steps = rng.randint(4, 5)
    setup = draw_tape(
        rng,
        device,
        sizes=[rng.randint(3, 5)] * (accum_steps + rng.randint(2, accum_steps - 2)),
        accum_steps=accum_steps,
    )
    got = learner.tape(setup=setup)
    evidence(**only(shares_fact(got, setup), "steps", "tail"))
    expect_shares(got, setup)


def test_the_last_window_weighs_by_its_samples(learner, rng, device, evidence):
    """Left over batches of unequal size count by their share of the samples that are left over"""
    accum_steps = rng.randint(4, 5)
    sizes = [4] * accum_steps + unequal(rng, rng.randint(2, accum_steps - 1))
    setup = draw_tape(rng, device, sizes=sizes, accum_steps=accum_steps)
    got = learner.tape(setup=setup)
    evidence(**only(shares_fact(got, setup), "steps", "tail"))
    expect_shares(got, setup)


def test_clips_once_for_each_update(learner, rng, device, evidence):
    """The gradient is clipped once for each update, when the whole window is in it"""
    # Measured by what the same program does unclipped: how it weighs the batches is another check's business.
    for default in (False, True):
        setup = draw_clipped(rng, device, max_norm=None if default else rng.uniform(0.1, 0.2))
        got, whole = learner.tape(setup=setup), learner.tape(setup={**setup, "max_norm": UNCLIPPED})
        evidence(**(only(shares_fact(whole, setup), "steps") or clip_fact(got, whole, setup)))
        max_norm = setup["max_norm"] or 1.0
        for window, batches in enumerate(windows(setup), start=1):
            moved, full = ([answer["moved"][batch] for batch in batches] for answer in (got, whole))
            right = clipped(full, max_norm)
            expect_close(
                math.hypot(*moved),
                math.hypot(*right),
                "Unclipped, update {window} has the norm {full:.4g}; max_norm is {max_norm:.4g}. So its norm should be "
                "{expected:.4g}, and it is {got:.4g}. Clip once, just before the step, all gradients together.",
                window=window,
                full=math.hypot(*full),
                max_norm=max_norm,
                **CLOSE,
            )
            expect_close(
                moved,
                right,
                "Clipping has changed how much the batches of window {window} count beside each other. Clip when the "
                "gradients of all of them are added up: then one factor shortens them all.",
                window=window,
                **CLOSE,
            )


def test_leaves_no_gradient(learner, rng, device, evidence):
    """No gradient is left when it returns, after whole windows and after left over batches"""
    evidence(**(deviation := habits(learner, rng, device)))
    for extra in (0, rng.randint(1, 2)):
        setup = draw_tape(rng, device, sizes=unequal(rng, 6 + extra), accum_steps=3)
        got = learner.tape(setup=setup)
        left = max(got["left"], default=0.0) > 0
        if not deviation:
            evidence(left=left)
        expect(
            not left,
            "After {batches} batches with 3 to an update, there are still gradients when `train_accumulated` returns. "
            "The next backward, perhaps in another epoch, would add to them.",
            batches=len(setup["sizes"]),
        )


def test_returns_the_number_of_updates(learner, rng, device, evidence):
    """It returns the number of updates, left over batches included"""
    evidence(**(deviation := habits(learner, rng, device)))
    for extra in (0, rng.randint(1, 2)):
        setup = draw_tape(rng, device, sizes=unequal(rng, 8 + extra), accum_steps=4)
        got = learner.tape(setup=setup)
        updates, right = got["returned"], len(windows(setup))
        if not deviation:
            evidence(returned=returned_fact(updates, setup))
        expect(
            isinstance(updates, int) and not isinstance(updates, bool),
            "`train_accumulated` returned a {kind}. The number of updates is an int.",
            kind=getattr(updates, "type_name", type(updates).__name__),
        )
        expect(
            updates == right,
            "{batches} batches with 4 to an update make {right} updates; {updates} came back.",
            batches=len(setup["sizes"]),
            right=right,
            updates=updates,
        )


def test_momentum_over_two_epochs(learner, reference, rng, device, evidence):
    """Two epochs of SGD with momentum, clipped now and then, end where large batches lead"""
    setup = draw_training(rng, device, scales=CLIPPED_AT_THE_END)
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**habits(learner, rng, device) or weights_of(got))
    expect_close(
        weights_of(got),
        weights_of(expected),
        "Two epochs of SGD with momentum do not leave the weights that they should. Every window makes one step, with "
        "the mean gradient over its samples, clipped as a whole; and nothing passes from one window to the next.",
        **CLOSE,
    )
    expect_close(
        got["returned"],
        expected["returned"],
        "Called for each of two epochs, `train_accumulated` did not return the number of updates both times.",
    )


def test_adam(learner, reference, rng, device, evidence):
    """With Adam the weights and moments are those of large batches"""
    setup = draw_training(
        rng,
        device,
        optimizer="adam",
        lr=0.02,
        head_lr=0.03,
        max_norm=UNCLIPPED,  # clipped, gradients of a wrong length may end as the right ones do
    )
    got, expected = learner.train(setup=setup), reference.train(setup=setup)
    evidence(**habits(learner, rng, device) or weights_of(got))
    expect_close(
        weights_of(got),
        weights_of(expected),
        "With Adam the weights or its moments end elsewhere than one step for each window leads, in training mode and "
        "with the window's mean gradient.",
        **CLOSE,
    )


def test_small_and_large_windows(learner, reference, rng, device, evidence):
    """One batch to an update, or more than there are: both work"""
    evidence(**(deviation := habits(learner, rng, device)))
    for accum_steps in (1, 9):
        few = {"sizes": unequal(rng, rng.randint(4, 5)), "epochs": 1, "max_norm": rng.uniform(0.2, 0.4)}
        setup = draw_training(rng, device, accum_steps=accum_steps, **few)
        got, expected = learner.train(setup=setup), reference.train(setup=setup)
        if not deviation:
            evidence(right=close(weights_of(got), weights_of(expected), **CLOSE))
        expect_close(
            [weights_of(got), got["returned"]],
            [weights_of(expected), expected["returned"]],
            "{batches} batches with accum_steps={accum_steps}: the weights, or the number of updates, are not what "
            "they should be. With 1 every batch makes its own update; with more than there are, all of them make one.",
            batches=len(setup["sizes"]),
            accum_steps=accum_steps,
            **CLOSE,
        )


def test_any_loader_and_loss(learner, reference, rng, device, evidence):
    """Any iterable of batches and any callable as loss will do"""
    # Unclipped, so that how the batches left over weigh shows always.
    setup = draw_training(rng, device, epochs=1, max_norm=UNCLIPPED)
    got, expected = learner.train_plainly(setup=setup), reference.train_plainly(setup=setup)
    evidence(**habits(learner, rng, device) or weights_of(got))
    expect_close(
        weights_of(got),
        weights_of(expected),
        "With a loader that can only be iterated (no length, batches as lists) and a loss that is an ordinary "
        "function, the weights end elsewhere.",
        **CLOSE,
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings and random streams are left as they were"""
    setup = draw_training(rng, device)
    got, expected = learner.surroundings(setup=setup), reference.surroundings(setup=setup)
    evidence(**{name: close(got[name], expected[name]) for name in expected})
    expect_close(
        got["batches"], expected["batches"], "A batch was changed in place; the next epoch would see it changed."
    )
    expect_close(
        [got["rates"], got["trainable"]],
        [expected["rates"], expected["trainable"]],
        "A learning rate, a weight decay or a parameter's `requires_grad` is not what it was before.",
    )
    expect_close(
        got["streams"],
        expected["streams"],
        "The random streams are not where they were: something seeded them anew or drew from them.",
    )
    expect(
        got["free"],
        "A step that somebody makes after the epoch no longer uses its gradients as they are: something of the epoch, such "
        "as a hook, was left on the optimizer or the model.",
    )


# --- what is drawn ---------------------------------------------------------------------------------------------------


def unequal(rng, count):
    """`count` batch sizes, neighbours never of one size; the first is not the mean."""
    small, large = rng.choice([2, 3]), rng.choice([5, 7])  # no multiples: who takes one for the other is found out
    sizes = [(small, large)[i % 2] for i in range(count)]
    return sizes if rng.random() < 0.5 else sizes[::-1]


def draw_tape(rng, device, **wanted):
    """Unclipped: what counts is how much each batch weighs."""
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "max_norm": UNCLIPPED,
        "gradients": [rng.uniform(0.5, 1.5) for _ in wanted["sizes"]],
        **wanted,
    }


def draw_clipped(rng, device, max_norm):
    """A tape on which every batch alone, and every window, is far longer than max_norm, but for a last short window."""
    accum_steps = 3
    sizes = unequal(rng, 2 * accum_steps + 2)
    long = 30.0 * (max_norm or 1.0)
    gradients = [rng.uniform(1.0, 2.0) * long for _ in range(2 * accum_steps)]
    short = [rng.uniform(0.3, 0.6) * (max_norm or 1.0) for _ in range(2)]
    return draw_tape(rng, device, sizes=sizes, accum_steps=accum_steps, max_norm=max_norm, gradients=gradients + short)


def draw_training(rng, device, **wanted):
    """A small network; whole windows and left over batches, some updates clipped and some not."""
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "sizes": unequal(rng, 8),
        "scales": rng.choice([UNCLIPPED_AT_THE_END, CLIPPED_AT_THE_END]),
        "accum_steps": 3,
        "hidden": rng.randint(4, 6),
        "frozen": True,
        "optimizer": "sgd",
        "lr": rng.uniform(0.03, 0.06),
        "head_lr": rng.uniform(0.07, 0.1),
        "momentum": rng.uniform(0.6, 0.9),
        "weight_decay": rng.uniform(0.05, 0.1),
        "max_norm": rng.uniform(1.0, 2.0),
        "epochs": 2,
        **wanted,
    }


# --- what is right ---------------------------------------------------------------------------------------------------


def windows(setup):
    """The positions of the batches of each window."""
    count, size = len(setup["sizes"]), setup["accum_steps"]
    return [list(range(start, min(start + size, count))) for start in range(0, count, size)]


def by_samples(setup, batches):
    """How much each batch of a window counts in the mean over the window's samples."""
    samples = sum(setup["sizes"][batch] for batch in batches)
    return [setup["sizes"][batch] / samples for batch in batches]


def clipped(gradient, max_norm):
    norm = math.hypot(*gradient)
    return [part * min(1.0, max_norm / norm) if norm else part for part in gradient]


def expect_shares(got, setup):
    shares = shares_of(got, setup)
    for window, batches in enumerate(windows(setup), start=1):
        samples = sum(setup["sizes"][batch] for batch in batches)
        for batch, right in zip(batches, by_samples(setup, batches), strict=True):
            expect_close(
                shares[batch],
                right,
                "Batches {first} to {last} make update {window}. Batch {batch} has {size} of their {samples} samples, "
                "so its gradient counts {expected:.4g} times; it counted {got:.4g} times.",
                first=batches[0] + 1,
                last=batches[-1] + 1,
                window=window,
                batch=batch + 1,
                size=setup["sizes"][batch],
                samples=samples,
                **SHARES,
            )


def weights_of(answer):
    return {part: answer[part] for part in ("weights", "optimizer")}


# --- what deviates, by name ------------------------------------------------------------------------------------------


def habits(learner, rng, device):
    """The first deviation that two ordinary tapes show, one unclipped and one clipped; {} if there is none."""
    setup = draw_tape(rng, device, sizes=unequal(rng, 6) + unequal(rng, 2), accum_steps=3)
    got = learner.tape(setup=setup)
    found = shares_fact(got, setup)
    if not found:
        short = draw_clipped(rng, device, max_norm=rng.uniform(0.1, 0.2))
        whole = learner.tape(setup={**short, "max_norm": UNCLIPPED})
        found = clip_fact(learner.tape(setup=short), whole, short)
    if not found and max(got["left"], default=0.0) > 0:
        found = {"left": True}
    if not found and returned_fact(got["returned"], setup) != "right":
        found = {"returned": returned_fact(got["returned"], setup)}
    return dict(list(found.items())[:1])


def shares_of(got, setup):
    return [moved / gradient for moved, gradient in zip(got["moved"], setup["gradients"], strict=True)]


def shares_fact(got, setup):
    """How the batches counted that should not have counted so; {} where all is right."""
    shares, groups = shares_of(got, setup), windows(setup)
    if got["steps"] == len(shares) > len(groups):
        return {"steps": "one for each batch"}
    twice = [2 * share for batches in groups for share in by_samples(setup, batches)]
    if got["steps"] == 2 * len(groups) and close(shares, twice, **SHARES):
        return {"steps": "two for each window"}
    whole = [batches for batches in groups if len(batches) == setup["accum_steps"]]
    tail = [batches for batches in groups if len(batches) < setup["accum_steps"]]
    found = {}
    for name, part in (("whole", whole), ("tail", tail)):
        kinds = [pattern([shares[b] for b in batches], by_samples(setup, batches), setup, batches) for batches in part]
        wrong = [kind for kind in kinds if kind != "right"]
        if wrong:
            found[name] = wrong[0] if all(kind == wrong[0] for kind in kinds) else kinds
    if found.get("tail") == "none" and max(got["left"], default=0.0) > 0:
        found["tail"] = "none, and the gradient stays"
    return found


def pattern(shares, right, setup, batches):
    """How the batches of one window counted, by name; as they are, if it has none."""
    sizes = [float(setup["sizes"][batch]) for batch in batches]
    if close(shares, right, **SHARES):
        return "right"
    if max(map(abs, shares)) < 1e-6:
        return "none"
    if len(shares) > 1 and max(map(abs, shares[:-1])) < 1e-6:
        return "only the last"
    if close(shares, [1.0] * len(shares), **SHARES) or close(shares, sizes, **SHARES):
        return "not divided"
    if min(shares) > 0 and sum(shares) < 1 - 1e-3 and len(batches) < setup["accum_steps"]:
        return "too little"
    if close(shares, [1 / len(shares)] * len(shares), **SHARES):
        return "equal"
    return [round(share, 4) for share in shares]


def clip_fact(got, whole, setup):
    """What clipping did to a tape, `whole` when unclipped, that it should not have done; {} where all is right."""
    max_norm = setup["max_norm"] or 1.0
    kinds = [
        clipped_as(
            [got["moved"][batch] for batch in batches],
            [whole["moved"][batch] for batch in batches],
            max_norm,
            [setup["sizes"][batch] for batch in batches],
        )
        for batches in windows(setup)
    ]
    wrong = [kind for kind in kinds if kind != "right"]
    return {"clip": wrong[0]} if wrong else {}


def clipped_as(moved, full, max_norm, sizes):
    if close(moved, clipped(full, max_norm), **CLOSE):
        return "right"
    if close(moved, full, **CLOSE):
        return "not at all"
    if close(moved, [min(part, max_norm) for part in full], **CLOSE):
        return "by value"
    alone = [0.0] * len(full)  # the weights of batches with even and with odd numbers lie in different parameters
    alone[0::2], alone[1::2] = clipped(full[0::2], max_norm), clipped(full[1::2], max_norm)
    if close(moved, alone, **CLOSE):
        return "each parameter alone"
    shorter = [math.hypot(*moved) / math.hypot(*full) * part for part in full] if any(full) else full
    if close(moved, shorter, **CLOSE):
        return length_as(moved, full, max_norm, sizes)
    ratios = sorted(part / whole if whole else 0.0 for part, whole in zip(moved, full, strict=True))
    # Where some are shortened alike, they may have been clipped together, in a window that is another.
    together = any(close(one, other, **CLOSE) for one, other in pairwise(ratios))
    return [round(ratio, 4) for ratio in ratios] if together else "one batch more than another"


def length_as(moved, full, max_norm, sizes):
    """What became max_norm of an update that points where it should and has another length; its length if nothing did."""
    length = math.hypot(*moved)
    if any(close(length * count, max_norm, **CLOSE) for count in (sum(sizes), len(sizes))):
        return "divided afterwards"
    tensors = math.hypot(*moved[0::2]) + math.hypot(*moved[1::2])
    # The last one is the sum of the squares without its root, which shrinks with the square of the factor.
    others = sum(map(abs, moved)), max(map(abs, moved)), tensors, length * math.hypot(*full)
    if any(close(other, max_norm, **CLOSE) for other in others):
        return "by another norm"
    return round(length / max_norm, 3)


def returned_fact(updates, setup):
    if isinstance(updates, bool) or not isinstance(updates, int):
        return "not an int"
    batches, size = len(setup["sizes"]), setup["accum_steps"]
    names = {len(windows(setup)): "right", batches // size: "whole windows", batches: "batches"}
    return names.get(updates, "another number")


def only(found, *names):
    return {name: found[name] for name in names if name in found}
