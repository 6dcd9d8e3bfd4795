"""What `split` and `run` must do, whatever network a learner trains.

The numbers of another network are others, so no check compares with the reference's. What is checked are properties:

- Two runs of a learner's own, on data that differ in one thing, agree in all that this thing has no business with.
- What is returned agrees with itself: the accuracy with the predictions, the best epoch with the losses.

The rows of each split are asked of the learner's own `split`. Where a row must belong to one split alone, those that lie
in two are left out, so that only the check about overlaps speaks of them.

Tolerances. Equal runs have equal numbers, up to the order of additions on some devices: 1e-4 is far above that. What
mistakes change, they change by a hundredth and more, as the data is laid for it. A loss that was taken in batches, or
anew from probabilities, is the same to 1e-3.

Facts. A check names what went wrong and nothing more, and of several things the first: the numbers are the learner's own.
"""

import itertools
import math
import time

import torch

from judge.kit import expect

FRACTIONS = (0.7, 0.15, 0.15)
KEYS = ("train_loss", "val_loss", "best_epoch", "test_accuracy", "model", "predict")
# At least 128 rows to train on, and no batch of one left over: batch norm would not take it.
SIZES = [n for n in range(187, 240) if all(int(n * 0.7) % size != 1 for size in (*range(2, 33), 48, 50, 64, 100, 128))]
# 65 rows to validate with: whoever takes them by 8, 16, 32 or 64 has a last batch of one.
LEAVE_ONE = (435, 438)
BATCH_SIZES = (8, 10, 16, 20, 25, 32, 50, 64)
SAME = 1e-4
MEASURED = 1e-3
ENOUGH = 0.95
TRIES = 3
WATCHED_EPOCHS = 51  # who looks only at every tenth or every fiftieth is seen too
LONGEST_S = 30.0  # after so long the spiral is not tried again

NOT_REPEATED = (
    "`run` was called twice in the same way, the global random state being another, and gave other numbers. Whatever "
    "draws in it has to begin from the seed: the weights, the order of the batches, dropout. And the seed may not be made of the clock "
    "or of the `hash` of a text, which is another in each process."
)


# --- Data ------------------------------------------------------------------------------------------------------------


def blobs(rng, classes, *, noisy=0.0, sizes=SIZES):
    """Clouds around the corners of a polygon, far from the origin: x (N, 2), y (N,), the classes in no order."""
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    n = rng.choice(sizes)
    y = (torch.arange(n) % classes)[torch.randperm(n, generator=generator)]  # (N,)
    angle = (y + rng.random()) * (2 * math.pi / classes)  # (N,)
    points = 3 * torch.stack([angle.cos(), angle.sin()], dim=1) + 0.5 * torch.randn(n, 2, generator=generator)
    other = torch.rand(n, generator=generator) < noisy
    y = torch.where(other, torch.randint(classes, (n,), generator=generator), y)
    return rng.uniform(20, 40) + rng.uniform(2, 5) * points, y


def board(rng):
    """Two classes like the fields of a board, two by two: one epoch does not learn it, twenty do."""
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    points = 2 * torch.rand(rng.choice(SIZES), 2, generator=generator) - 1
    return points, (points.prod(dim=1) > 0).long()


def noise(rng, classes=3):
    """Nothing to learn: the validation loss goes up and down."""
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    n = rng.choice(SIZES)
    return torch.randn(n, 2, generator=generator), torch.randint(classes, (n,), generator=generator)


def spiral(rng, points_per_class=150, classes=3):
    """The spiral of the statement."""
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    points, labels = [], []
    for arm in range(classes):
        radius = torch.linspace(0, 1, points_per_class)
        angle = torch.linspace(4 * arm, 4 * (arm + 1), points_per_class)
        angle = angle + 0.15 * torch.randn(points_per_class, generator=generator)
        points.append(radius[:, None] * torch.stack([angle.sin(), angle.cos()], dim=1))  # (P, 2)
        labels.append(torch.full((points_per_class,), arm))
    return torch.cat(points), torch.cat(labels)


def shifted(y, rows, classes):
    """The labels, those of `rows` each the next class instead."""
    y = y.clone()
    y[rows] = (y[rows] + 1) % classes
    return y


def moved_away(x, rows):
    """The points, those of `rows` far away from all others, to the upper right."""
    x = x.clone()
    x[rows] = x[rows] + 1e4 * (x.max() - x.min())
    return x


# --- What a learner's functions gave ---------------------------------------------------------------------------------


def case(rng, num_samples, fractions, seed, **options):
    return {
        "num_samples": num_samples,
        "fractions": fractions,
        "seed": seed,
        "noise": rng.randrange(2**31),
        **options,
    }


def expect_parts(answers, evidence):
    """Each answer of `split` is three lists of int."""
    for answer in answers:
        parts = answer["parts"]
        strange = parts if isinstance(parts, str) else next((part for part in parts if isinstance(part, str)), None)
        if strange is None and len(parts) != 3:
            strange = f"{len(parts)} parts"
        if strange is not None:
            evidence(parts=strange)
        expect(
            strange is None,
            "`split` has to return three lists of indices (int): train, val, test. In what came back there is: {strange}.",
            strange=strange,
        )
    return [answer["parts"] for answer in answers]


class Rows:
    """The rows of each split, as the learner's own `split` deals them; `only_...` leave out those that are in two."""

    def __init__(self, learner, evidence, rng, num_samples, seed):
        cases = [case(rng, num_samples, FRACTIONS, seed) for _ in range(2)]
        first, again = expect_parts(learner.splits(cases=cases), evidence)
        if first != again:
            evidence(repeats=False)
        expect(
            first == again,
            "`split` was called twice with the same numbers and gave other lists. The seed alone has to decide.",
        )
        inside = all(0 <= row < num_samples for part in first for row in part)
        if not inside:
            evidence(inside=False)
        expect(inside, "`split` gave indices outside 0 ... {last}.", last=num_samples - 1)
        self.train, self.val, self.test = first
        self.only_val = sorted(set(self.val) - set(self.train) - set(self.test))
        self.only_test = sorted(set(self.test) - set(self.train) - set(self.val))
        self.rest = sorted(set(range(num_samples)) - set(self.only_test))


def setup(rng, device, x, y, seed, classes, *, points=None, options=(), **more):
    return {
        "x": x,
        "y": y,
        "num_classes": classes,
        "seed": seed,
        "device": device,
        "noise": rng.randrange(2**31),
        "points": x if points is None else points,
        "options": dict(options),
        **more,
    }


def expect_answer(got, evidence, points, classes):
    """A dictionary with all that was asked for, in the form that was asked for."""
    keys = got["returned"]
    if isinstance(keys, str):
        evidence(returned=keys)
    expect(not isinstance(keys, str), "`run` has to return a dictionary, and it returned {kind}.", kind=keys)
    missing = [key for key in KEYS if key not in keys and key != "best_epoch"]
    if missing:
        evidence(missing=missing)
    expect(
        not missing,
        "In the dictionary that `run` returned there is no {missing}.",
        missing=", ".join(missing).replace("_", " "),
    )
    train_loss, val_loss = got["train_loss"], got["val_loss"]
    lists = isinstance(train_loss, list) and isinstance(val_loss, list) and len(train_loss) == len(val_loss)
    numbers = lists and val_loss and all(isinstance(loss, float) for loss in (*train_loss, *val_loss))
    number = isinstance(got["test_accuracy"], float)
    if not numbers or not number:
        evidence(losses=bool(numbers), accuracy=number)
    expect(
        bool(numbers),
        "`train_loss` and `val_loss` have to be lists of numbers, one for each epoch, both of the same length.",
    )
    expect(number, "The test accuracy has to be a number.")
    shape = [len(points), classes]
    answers = [got["predicted"], *got["seen"]]
    strange = next((named(a) for a in answers if isinstance(a, str) or list(a.shape) != shape), None)
    if strange is not None:
        evidence(predicts=strange if isinstance(strange, str) else "another shape")
    expect(
        strange is None,
        "`predict` was given {count} points of {classes} classes. Its answer has to be a tensor ({count}, {classes}), and "
        "it is {strange}.",
        count=len(points),
        classes=classes,
        strange=str(strange),
    )


def named(answer):
    return answer if isinstance(answer, str) else tuple(answer.shape)


def one_run(learner, evidence, given):
    got = learner.run(setup=given)
    expect_answer(got, evidence, given["points"], given["num_classes"])
    return got


def two_runs(learner, evidence, rng, given, other):
    """A run, and one on other data. That the first can be repeated at all is seen before."""
    again = {**given, "noise": rng.randrange(2**31)}
    answers = learner.runs(setups=[given, again, other])
    for got in answers:
        expect_answer(got, evidence, given["points"], given["num_classes"])
    if not same_run(*answers[:2]):
        evidence(repeats=False)
    expect(same_run(*answers[:2]), NOT_REPEATED)
    return answers[0], answers[2]


def near(one, other, tolerance=SAME):
    """Whether two numbers, lists of numbers or tensors are equal up to rounding; NaN equals NaN."""
    one, other = torch.as_tensor(one, dtype=torch.float64), torch.as_tensor(other, dtype=torch.float64)
    return one.shape == other.shape and torch.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)


def same_run(one, other, *, tested=True):
    """Whether two runs have the same losses, the same best epoch, the same predictions and the same test accuracy."""
    return (
        near(one["train_loss"], other["train_loss"])
        and near(one["val_loss"], other["val_loss"])
        and one["best_epoch"] == other["best_epoch"]
        and near(one["predicted"], other["predicted"])
        and (near(one["test_accuracy"], other["test_accuracy"]) or not tested)
    )


def same_beginning(one, other):
    """Whether the first epoch was the same: later ones may hang on the validation loss, as a schedule may."""
    first, first_other = [run["seen"][0] if run["seen"] else torch.zeros(()) for run in (one, other)]
    return near(one["train_loss"][0], other["train_loss"][0]) and near(first, first_other)


def accuracy(predicted, y, rows):
    return (predicted[rows].argmax(dim=1) == y[rows]).double().mean().item()


def expect_stopped_by_the_rule(got, evidence, max_epochs, patience):
    """The best epoch and the number of epochs are what exercise 7 makes of the validation losses."""
    losses, found = got["val_loss"], got["best_epoch"]
    best = min(
        (epoch for epoch, loss in enumerate(losses) if math.isfinite(loss)), key=losses.__getitem__, default=None
    )
    if found != best:
        evidence(best="last" if found == len(losses) - 1 < max_epochs - 1 else "other")
    shown = ", ".join(f"{loss:.4g}" for loss in losses[:30])
    expect(
        found == best,
        "The validation losses of a run are {losses}. `best_epoch` has to be the first epoch with the lowest one, {best}, "
        "and it is {found}.",
        losses=shown,
        best=best,
        found=found if found is None or isinstance(found, (int, str)) else str(found),
    )
    epochs = right_length(losses, max_epochs, patience)
    if len(losses) != epochs:
        longer = "all" if len(losses) == max_epochs else "one more" if len(losses) == epochs + 1 else "more"
        evidence(epochs=longer if len(losses) > epochs else "fewer")
    expect(
        len(losses) == epochs,
        "With a patience of {patience} and at most {max_epochs} epochs, a run has {found} epochs, and it has to end after "
        "{epochs}. Its validation losses are {losses}.",
        patience=patience,
        max_epochs=max_epochs,
        found=len(losses),
        epochs=epochs,
        losses=shown,
    )


def right_length(losses, max_epochs, patience):
    """After how many epochs a run with these losses has to end; one more than there are if it had to go on."""
    lowest, waited = math.inf, 0
    for epoch, loss in enumerate(losses):
        waited = 0 if math.isfinite(loss) and loss < lowest else waited + 1
        lowest = loss if waited == 0 else lowest
        if waited >= patience or epoch + 1 >= max_epochs:
            return epoch + 1
    return len(losses) + 1


# --- split -----------------------------------------------------------------------------------------------------------


def test_split_deals_each_sample_once(learner, rng, evidence):
    """Each sample is in one of the three lists, and the lists have the right lengths"""
    seed = rng.randrange(2**31)
    # A product like 100 * 0.29 lies a little below the whole number, and `int` cuts it.
    given = [(rng.randint(61, 99), FRACTIONS), (100, (0.29, 0.57, 0.14)), (rng.choice([103, 107]), (0.5, 0.25, 0.25))]
    given += [(rng.randint(30, 60), fractions) for fractions in ([1.0, 0.0, 0.0], (0, 0, 1), (0.55, 0, 0.45))]
    given += [(rng.randint(1, 6), FRACTIONS), (450, FRACTIONS)]
    cases = [case(rng, n, fractions, seed, by_name=n == 450) for n, fractions in given]
    answers = expect_parts(learner.splits(cases=cases), evidence)
    dealt = [
        (n, fractions, [row for part in parts for row in part], parts)
        for (n, fractions), parts in zip(given, answers, strict=True)
    ]
    twice = next(((n, len(rows) - len(set(rows))) for n, _, rows, _ in dealt if len(set(rows)) < len(rows)), None)
    if twice is not None:
        evidence(twice=True)
    expect(
        twice is None,
        "Of {n} samples, {count} are in more than one list, or twice in one. Then the network is measured with samples "
        "that it was trained on.",
        n=twice[0] if twice else 0,
        count=twice[1] if twice else 0,
    )
    missing = next((n for n, _, rows, _ in dealt if set(rows) != set(range(n))), None)
    if missing is not None:
        evidence(complete=False)
    expect(missing is None, "Of {n} samples not all are in the lists, or there are indices of no sample.", n=missing)
    for n, fractions, _, parts in dealt:
        right = [int(n * fractions[0]), int(n * fractions[1])]
        right.append(n - sum(right))
        lengths = [len(part) for part in parts]
        if lengths != right:
            evidence(lengths=lengths)
        expect(
            lengths == right,
            "{n} samples and the fractions {fractions} give lists of {lengths}; it has to be {right}. The first two lengths "
            "are `int(N * f)`, and the test split takes the rest.",
            n=n,
            fractions=str(tuple(fractions)),
            lengths=", ".join(map(str, lengths)),
            right=", ".join(map(str, right)),
        )


def test_split_shuffles(learner, rng, evidence):
    """The samples are shuffled before they are dealt, and each seed shuffles in its own way"""
    n, seed = rng.randint(90, 130), rng.randrange(2**30)
    seeds = [0, 1, 2, seed, seed + 1]
    answers = expect_parts(learner.splits(cases=[case(rng, n, FRACTIONS, seed) for seed in seeds]), evidence)
    blocks = sum(max(part) - min(part) + 1 == len(set(part)) for parts in answers for part in parts if part)
    if blocks:
        evidence(shuffled=False)
    expect(
        not blocks,
        "A list holds samples that stood side by side in the data. Data is often sorted by class: then a class is only in "
        "the test split, and none of it is ever trained on. Shuffle the indices first, and cut them then.",
    )
    different = len({tuple(sorted(parts[0])) for parts in answers})
    if different < len(seeds):
        evidence(different=False)
    expect(
        different == len(seeds),
        "{count} seeds gave only {different} different training splits.",
        count=len(seeds),
        different=different,
    )


def test_split_by_the_seed_alone(learner, rng, evidence):
    """The seed alone decides, and the global random state stays as it was"""
    n, seed = rng.randint(60, 99), rng.randrange(2**31)
    cases = [case(rng, n, FRACTIONS, seed, process=process) for process in (1, 1, 2)]
    first = learner.splits(cases=cases[:2])
    learner.restart()
    answers = first + learner.splits(cases=cases[2:])
    parts = expect_parts(answers, evidence)
    repeats = all(other == parts[0] for other in parts)
    if not repeats:
        evidence(repeats=False)
    expect(
        repeats,
        "`split` was called again with the same numbers, and gave other lists. The global random state was another, and "
        "the process; neither may matter.",
    )
    untouched = all(answer["untouched"] is True for answer in answers)
    if not untouched:
        evidence(untouched=False)
    expect(
        untouched,
        "`split` has moved or seeded the global random state. Whoever calls it in the middle of an experiment gets other "
        "numbers from there on. Use a generator of its own, such as `random.Random(seed)`.",
    )


def test_split_refuses_bad_fractions(learner, rng, evidence):
    """Fractions that are not three, negative, or do not sum to 1 raise ValueError"""
    bad = [(0.7, 0.3), (0.4, 0.3, 0.2, 0.1), (1.2, -0.1, -0.1), (0.6, 0.6, -0.2), (0.7, 0.2, 0.2), (0.5, 0.2, 0.2)]
    bad += [(0.7, 0.15, 0.15 + 1e-4), (0.7, 0.15 - 1e-4, 0.15), (0.0, 0.0, 0.0), (1.0,)]
    # On both sides of 1e-6: a sum in single precision may pass, and so may `numpy.isclose`, which adds 1e-5 of its own.
    outside, inside = rng.uniform(2e-5, 5e-5), rng.uniform(6e-7, 8e-7)
    bad += [(0.7, 0.15, 0.15 + outside), (0.7, 0.15 - outside, 0.15)]
    good = [(0.7, 0.15, 0.15 + inside), (0.7, 0.15, 0.15 - inside), (0.1, 0.2, 0.7), (0.6, 0.3, 0.1), (0, 1, 0)]
    n, seed = rng.randint(40, 60), rng.randrange(2**31)
    errors = learner.refusals(cases=[[n, fractions, seed] for fractions in bad + good])
    refused, accepted = errors[: len(bad)], errors[len(bad) :]
    evidence(refused=["ValueError" in kinds for kinds in refused], accepted=[not kinds for kinds in accepted])
    for fractions, kinds in zip(bad, refused, strict=True):
        expect(
            "ValueError" in kinds,
            "The fractions {fractions} have to raise a ValueError; what came was: {error}.",
            fractions=str(fractions),
            error=kinds[0] if kinds else "-",
        )
    for fractions, kinds in zip(good, accepted, strict=True):
        expect(
            not kinds,
            "The fractions {fractions} are three, none is negative, and they sum to 1 up to 1e-6. They raised {error}.",
            fractions=str(fractions),
            error=kinds[0] if kinds else "-",
        )


# --- run: the form of the answer -------------------------------------------------------------------------------------


def test_answer(learner, rng, device, evidence):
    """The answer is complete, for any number of classes, and the data stays as it was"""
    classes = 4
    x, y = blobs(rng, classes - 1)  # the last class has no sample
    given = setup(
        rng, device, x, y, rng.randrange(2**31), classes, options={"max_epochs": 3, "patience": 3}, by_name=True
    )
    got = one_run(learner, evidence, given)
    untouched = bool(torch.equal(got["x"], x) and torch.equal(got["y"], y))
    if not untouched:
        evidence(untouched=False)
    expect(untouched, "`run` has changed the `x` or `y` that it was given. Make new tensors of them.")
    predicted = got["predicted"].double()
    probabilities = bool((predicted >= 0).all()) and near(predicted.sum(dim=1), torch.ones(len(x)))
    if not probabilities:
        evidence(probabilities=False)
    expect(
        probabilities,
        "What `predict` gives are not probabilities: in each row they are at least 0 and sum to 1. Logits become "
        "probabilities by `softmax`.",
    )
    alone = [answer for answer in got["alone"] if not isinstance(answer, str)]
    steady = len(alone) == 3 and near(torch.cat(alone), predicted[:3])
    if not steady:
        empty = len(alone) == 3 and bool(torch.cat(alone).isnan().all())  # one point has no standard deviation
        evidence(steady="no number" if empty else False)
    expect(
        steady,
        "Asked about one point alone, `predict` gives other probabilities than for the same point among others. What it "
        "says of a point must hang on nothing else: not on the other points, not on dropout.",
    )


def test_called_after_each_epoch(learner, rng, device, evidence):
    """`on_epoch` is called once after each epoch, with its number; without it the run is the same"""
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    y = shifted(y, rows.only_val, classes)
    given = setup(rng, device, x, y, seed, classes, options={"max_epochs": 20, "patience": rng.randint(5, 7)})
    got, silent = two_runs(learner, evidence, rng, given, {**given, "noise": rng.randrange(2**31), "quiet": True})
    epochs = got["epochs"]
    right = list(range(len(got["val_loss"])))
    if epochs != right:
        # Not the numbers: how many epochs there are is the learner's network's affair.
        evidence(first=epochs[:1], more=len(epochs) - len(right))
    expect(
        epochs == right,
        "A run of {count} epochs called `on_epoch` for {called}. It has to be called after each epoch, the last one too, "
        "with the epoch's number, from 0.",
        count=len(right),
        called=", ".join(map(str, epochs[:40])) or "-",
    )
    if not same_run(got, silent):
        evidence(silent=False)
    expect(
        same_run(got, silent),
        "With an `on_epoch` that asks `predict` about some points, the run is another than without. Asking must change "
        "nothing: neither a random stream nor the mode that the network is trained in.",
    )


# --- run: what may know of what --------------------------------------------------------------------------------------


def test_test_rows_do_not_train(learner, rng, device, evidence):
    """The test rows have no part in training: not in its mean and deviation, not in its steps"""
    expect_no_part(learner, rng, device, evidence, "only_test", "test")


def test_validation_rows_do_not_train(learner, rng, device, evidence):
    """The validation rows have no part in training either"""
    expect_no_part(learner, rng, device, evidence, "only_val", "validation")


def expect_no_part(learner, rng, device, evidence, kind, name):
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    chosen = getattr(rows, kind)
    points = x[sorted(set(rows.train) - set(chosen))]
    given = setup(rng, device, x, y, seed, classes, points=points, options={"max_epochs": 2, "patience": 2})
    far = {**given, "x": moved_away(x, chosen)}
    labels = {**given, "y": shifted(y, chosen, classes)}
    one, other = two_runs(learner, evidence, rng, given, labels)
    steps = same_beginning(one, other)
    if not steps:
        evidence(steps=False)
    expect(
        steps,
        "The {name} labels were exchanged, and the first epoch's training loss or predictions changed. So the network was "
        "trained on rows of that split.",
        name=name,
    )
    scale = same_beginning(one, one_run(learner, evidence, far))
    if not scale:
        evidence(scale=False)
    expect(
        scale,
        "The {name} rows were moved far away, and the first epoch's training loss or predictions changed. What training "
        "sees must come from the training split alone: the mean and the standard deviation too.",
        name=name,
    )


def test_standardises(learner, rng, device, evidence):
    """The points are standardised: in other units, the run is the same"""
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    given = setup(rng, device, x, y, seed, classes, options={"max_epochs": 2, "patience": 2})

    def converted(scales, offsets):
        other_x = x * torch.tensor(scales) + torch.tensor(offsets)  # (N, 2)
        return {**given, "x": other_x, "points": other_x}

    def same_loss(one, other):
        return near(one["train_loss"][0], other["train_loss"][0], 5e-3)

    offset = rng.choice([-3.0, -2.0, 2.0, 3.0])
    one, other = two_runs(learner, evidence, rng, given, converted([1 / 64, 1 / 64], [offset, offset]))
    same = same_loss(one, other)
    if not same:
        evidence(standardised=False)
    expect(
        same,
        "The same points in other units, a multiple of them with something added, gave another training loss in the "
        "first epoch. Once standardised, both are the same: subtract the mean, and divide by the standard deviation.",
    )
    # Powers of two: nothing but the offset is rounded.
    apart = converted(rng.sample([1 / 64, 4.0], 2), [offset, -10 * offset])
    alone = same_loss(one, one_run(learner, evidence, apart))
    if not alone:
        evidence(each_coordinate=False)
    expect(
        alone,
        "Each coordinate got units of its own, and the first epoch's training loss changed. Each has its own mean and "
        "its own standard deviation: take both over the samples, `x[train].mean(dim=0)`, not over all numbers at once.",
    )


def test_test_labels_select_nothing(learner, rng, device, evidence):
    """The test labels change the test accuracy and nothing else"""
    clear = blobs(rng, 3, noisy=0.2)  # the test loss of the right labels falls, and that of others rises
    nothing = noise(rng)  # the test accuracy goes up and down, with other labels at other times
    for (x, y), steps in ((clear, 9), (nothing, 12)):
        seed = rng.randrange(2**31)
        rows = Rows(learner, evidence, rng, len(x), seed)
        given = setup(rng, device, x, y, seed, 3, points=x[:20], options={"max_epochs": steps, "patience": steps})
        second = {**given, "y": shifted(y, rows.only_test, 3)}
        third = {**given, "y": shifted(second["y"], rows.only_test, 3)}
        one, other = two_runs(learner, evidence, rng, given, second)
        # Under one of the three labels each answer is right. So of two networks that differ, the better one under some
        # labels is the worse one under others.
        same = same_run(one, other, tested=False) and same_run(one, one_run(learner, evidence, third), tested=False)
        if not same:
            evidence(hangs_on_test=True)
        expect(
            same,
            "With other labels in the test split alone, a run has other losses, another best epoch or another network. Then "
            "the test split helps to choose, and its accuracy says no more than the validation split's.",
        )


def test_test_split_waits(learner, rng, device, evidence):
    """The test split is measured once, after the last epoch"""
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    given = setup(
        rng,
        device,
        moved_away(x, rows.only_test),
        y,
        seed,
        classes,
        points=x[rows.rest],
        options={"max_epochs": WATCHED_EPOCHS, "patience": WATCHED_EPOCHS},
        watched=rows.only_test,
    )
    touched = one_run(learner, evidence, given)["touched"]
    if touched:
        evidence(waits=False)
    expect(
        touched is False,
        "Between one epoch and the next something is computed with the test rows. Who sees the test accuracy after every "
        "epoch begins to choose by it. Measure that split once, when all is decided.",
    )


# --- run: stopping and restoring -------------------------------------------------------------------------------------


def test_stops_when_nothing_improves(learner, rng, device, evidence):
    """Training stops after `patience` epochs in a row without a lower validation loss"""
    seed = rng.randrange(2**31)
    data = [noise(rng), noise(rng), noise(rng), spiral(rng, points_per_class=70)]
    limits = [(1, 60), (3, 60), (50, rng.randint(3, 5)), (rng.randint(5, 7), 60)]
    for (x, y), (patience, max_epochs) in zip(data, limits, strict=True):
        given = setup(
            rng, device, x, y, seed, 3, points=x[:3], options={"max_epochs": max_epochs, "patience": patience}
        )
        got = one_run(learner, evidence, given)
        expect_stopped_by_the_rule(got, evidence, max_epochs, patience)


def test_equal_is_not_better(learner, rng, device, evidence):
    """A validation loss that only equals the lowest one is no improvement"""
    x, y = noise(rng, classes=1)  # with a single class every cross-entropy is the same, 0
    patience, max_epochs = rng.randint(2, 4), rng.randint(9, 12)
    options = {"max_epochs": max_epochs, "patience": patience}
    got = one_run(learner, evidence, setup(rng, device, x, y, rng.randrange(2**31), 1, points=x[:3], options=options))
    expect_stopped_by_the_rule(got, evidence, max_epochs, patience)


def test_defaults(learner, rng, device, evidence):
    """Without other wishes the patience is 20 and there are at most 200 epochs"""
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    rising = setup(rng, device, x, shifted(y, rows.only_val, classes), seed, classes, points=x[:3])
    got = one_run(learner, evidence, rising)
    expect_stopped_by_the_rule(got, evidence, 200, 20)
    falls = got["train_loss"][-1] < got["train_loss"][0]
    if not falls:
        evidence(falls=False)
    expect(
        falls,
        "On points that are easy to tell apart, the training loss of the last epoch is not below the first one's.",
    )
    long = setup(rng, device, x, y, seed, classes, points=x[:3], options={"patience": 1000})
    expect_stopped_by_the_rule(one_run(learner, evidence, long), evidence, 200, 1000)


def test_best_epoch_is_restored(learner, rng, device, evidence):
    """In the end, `model` and `predict` are those of the best epoch"""
    classes = 3
    x, y = blobs(rng, classes)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    y = shifted(y, rows.only_val, classes)  # the more the network learns, the higher the validation loss
    given = setup(rng, device, x, y, seed, classes, train=rows.train)
    # Some end because nothing improved, others because the epochs are used up.
    for max_epochs, patience in ((30, rng.randint(5, 8)), (rng.randint(8, 12), 30)):
        options = {"max_epochs": max_epochs, "patience": patience}
        expect_restored(one_run(learner, evidence, {**given, "options": options}), evidence)


def expect_restored(got, evidence):
    best, seen = got["best_epoch"], got["seen"]
    known = isinstance(best, int) and 0 <= best < len(seen)
    held = "unknown"
    if known:
        held = next(
            (name for name, epoch in (("best", best), ("last", -1)) if near(got["predicted"], seen[epoch])), "other"
        )
    if held != "best":
        evidence(held=held)
    expect(known, "`best_epoch` is no epoch that `on_epoch` was called for.")
    expect(
        held == "best",
        "The lowest validation loss was that of epoch {best}. What `predict` says in the end is not what it said after that "
        "epoch, so the network does not hold its weights.",
        best=best,
    )
    agrees = not is_last(got["model"], got["predicted"], seen[-1])
    if not agrees:
        evidence(model="last")
    expect(
        agrees,
        "`predict` speaks for the best epoch, and `model` holds the weights of the last one. Both have to be the best's.",
    )


def is_last(outputs, best, last):
    """Whether the model's outputs are clearly the last epoch's. It may take raw points or standardised ones, and give
    logits or probabilities; one that takes neither is left alone."""
    forms = [form for output in outputs for form in (output, output.softmax(dim=-1)) if form.shape == best.shape]
    distances = [((form - best).abs().mean().item(), (form - last).abs().mean().item()) for form in forms]
    to_best, to_last = min(distances, key=min, default=(0.0, 0.0))
    return to_last < to_best / 4


def test_accuracy_is_that_of_predict(learner, rng, device, evidence):
    """The test accuracy is how often `predict` is right about the raw points of the test split"""
    classes = 3
    x, y = blobs(rng, classes, noisy=0.1)
    expect_accuracy(learner, rng, device, evidence, x, y, classes, wrong_labels=False)
    for _ in range(2):  # of so few points two networks may get the same share right
        expect_accuracy(learner, rng, device, evidence, *board(rng), 2, wrong_labels=True)


def expect_accuracy(learner, rng, device, evidence, x, y, classes, *, wrong_labels):
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    if not wrong_labels:  # half of them far away: by themselves, the others would be pressed together
        x = x.clone()
        x[rows.test[::2]] += 6 * x.std(dim=0)
    if wrong_labels:  # the best epoch is one of the first, and the last ones are good
        y = shifted(y, rows.only_val, classes)
    options = {"max_epochs": 60, "patience": 25} if wrong_labels else {"max_epochs": 12, "patience": 12}
    forms = as_if_by_itself(x, rows.test, rows.train), standardised(x, rows.test, rows.train)
    got = one_run(
        learner, evidence, setup(rng, device, x, y, seed, classes, points=torch.cat([x, *forms]), options=options)
    )
    right = accuracy(got["predicted"], y, rows.test)
    agrees = near(got["test_accuracy"], right, 1e-4)
    if not agrees:
        alone, before = (
            near(got["test_accuracy"], accuracy(predicted, y[rows.test], slice(None)), 1e-4)
            for predicted in got["predicted"][len(x) :].tensor_split(2)
        )
        owner = whose(got, y, rows.test)
        if alone or (before and owner == "other"):
            owner = "points standardised by themselves" if alone else "points standardised before"
        evidence(accuracy_of="no share" if got["test_accuracy"] > 1 else owner)
    expect(
        agrees,
        "The test accuracy that came back is {said:.4g}. Of the test split's points, as they were given to `run`, `predict` says the right "
        "class for a share of {right:.4g}. Both have to be the restored network's; and `predict` has to standardise its "
        "points as those of training were.",
        said=got["test_accuracy"],
        right=right,
    )


def as_if_by_itself(x, rows, train):
    """Points that become, standardised as training was, what `rows` become with their own mean and standard deviation."""
    return (x[rows] - x[rows].mean(dim=0)) / x[rows].std(dim=0) * x[train].std(dim=0) + x[train].mean(dim=0)


def standardised(x, rows, train):
    """What a `predict` that forgets to standardise has to be given."""
    return (x[rows] - x[train].mean(dim=0)) / x[train].std(dim=0)


def whose(got, y, rows):
    """Which epoch's predictions have the test accuracy that came back."""
    best, seen = got["best_epoch"], got["seen"]
    known = {"best": seen[best : best + 1] if isinstance(best, int) else [], "last": seen[-1:]}
    return next(
        (name for name, some in known.items() for p in some if near(got["test_accuracy"], accuracy(p, y, rows))),
        "other",
    )


def test_training_loss(learner, rng, device, evidence):
    """`train_loss` is the loss of the training samples"""
    classes = rng.randint(3, 5)
    x, y = noise(rng, classes)
    seed = rng.randrange(2**31)
    given = setup(rng, device, x, y, seed, classes, points=x[:3], options={"max_epochs": 1, "patience": 1})
    said = one_run(learner, evidence, given)["train_loss"][0]
    # Labels that are noise cannot be learned in one epoch, so the mean is near log(C) or above. Which mean, over samples
    # or batches, in the course of the epoch or after it, is left open, and so is whether it is a sum.
    guessing = math.log(classes)
    size = "small" if said < guessing / 2 else "large" if not said < 10 * guessing * len(x) else "right"
    if size != "right":
        evidence(size=size)
    expect(
        size == "right",
        "The labels are noise, {classes} classes of them. Who only guesses has a cross-entropy of {guessing:.3g}, and in one "
        "epoch no network gets much better than that. The training loss that came back is {said:.3g}. The loss of a batch is a "
        "mean already: multiply it by the size of its batch before you add, and divide the sum by the number of samples once.",
        classes=classes,
        guessing=guessing,
        said=said,
    )


def test_validation_loss(learner, rng, device, evidence):
    """`val_loss` is the cross-entropy of the validation split, after each epoch"""
    classes = 3
    x, y = blobs(rng, classes, noisy=0.4, sizes=LEAVE_ONE)
    seed = rng.randrange(2**31)
    rows = Rows(learner, evidence, rng, len(x), seed)
    x = x.clone()
    x[rows.val] += x.std(dim=0) / 2  # elsewhere than all others: who standardises them by themselves does not notice
    points = torch.cat([x, as_if_by_itself(x, rows.val, rows.train), standardised(x, rows.val, rows.train)])
    options = {"max_epochs": 5, "patience": 5}
    got = one_run(learner, evidence, setup(rng, device, x, y, seed, classes, points=points, options=options))
    labels = torch.cat([y, y[rows.val], y[rows.val]])  # of the points
    where = {"validation": rows.val, "test": rows.test, "training": rows.train}
    found = next((name for name, part in where.items() if is_cross_entropy(got, labels, part)), "none")
    by_itself, before = torch.arange(len(x), len(points)).tensor_split(2)
    told_early = {"seen": got["seen"][1:], "val_loss": got["val_loss"][:-1]}
    other = {
        "points standardised by themselves": lambda: is_cross_entropy(got, labels, by_itself),
        "points standardised before": lambda: is_cross_entropy(got, labels, before, 0.03),
        "batches": lambda: is_mean_of_batch_means(got, labels, rows.val),
        "a sum": lambda: is_sum(got, labels, rows.val),
        "the epoch before": lambda: is_cross_entropy(told_early, labels, rows.val),
    }
    if found != "validation":
        evidence(loss_of=next((name for name, fits in other.items() if found == "none" and fits()), found))
    expect(
        found != "none",
        "After each epoch `on_epoch` was told what `predict` says of the validation points. Its cross-entropy is {right}, and "
        "`val_loss` is {said}. Something is measured with other rows, in another mode or as no mean over the samples; or "
        "`predict` does not standardise its points.",
        right=", ".join(f"{loss:.4g}" for loss in entropies(got, y, rows.val)[0]),
        said=", ".join(f"{loss:.4g}" for loss in got["val_loss"]),
    )
    expect(found == "validation", "`val_loss` is the loss of the {name} split.", name=found)


def is_cross_entropy(got, y, rows, tolerance=MEASURED):
    """Whether `val_loss` is the cross-entropy on these rows; with label smoothing, if all epochs agree on how much."""
    losses = torch.tensor(got["val_loss"], dtype=torch.float64)
    entropy, uniform = map(torch.tensor, entropies(got, y, rows))
    if len(entropy) != len(losses) or not len(rows):
        return False
    widest = (uniform - entropy).abs().argmax()
    smoothing = ((losses - entropy) / (uniform - entropy))[widest].clamp(0, 0.5)
    return any(near(losses, entropy + amount * (uniform - entropy), tolerance) for amount in (0.0, smoothing))


def is_mean_of_batch_means(got, y, rows):
    """Whether `val_loss` is what the batches of some size give where each of them counts alike."""
    return any(near(got["val_loss"], of_batches(got, y, rows, size).mean(dim=0), MEASURED) for size in BATCH_SIZES)


def is_sum(got, y, rows):
    """Whether `val_loss` is the sum of what the samples, or the batches of some size, give."""
    return any(near(got["val_loss"], of_batches(got, y, rows, size).sum(dim=0), MEASURED) for size in (1, *BATCH_SIZES))


def of_batches(got, y, rows, size):
    """The cross-entropy of each batch after each epoch: (batches, epochs)."""
    return torch.tensor([entropies(got, y, batch)[0] for batch in torch.tensor(rows).split(size)])


def entropies(got, y, rows):
    """After each epoch the cross-entropy with the labels, and with all classes alike."""
    logs = [seen[rows].double().clamp_min(1e-30).log() for seen in got["seen"]]
    return (
        [-log.gather(1, y[rows][:, None]).mean().item() for log in logs],
        [-log.mean().item() for log in logs],
    )


# --- run: the whole --------------------------------------------------------------------------------------------------


def test_one_seed_one_result(learner, rng, device, evidence):
    """One seed, one result, in another process too; another seed, another result"""
    classes = 3
    x, y = blobs(rng, classes, noisy=0.3)
    seed = rng.randrange(2**31)
    given = setup(rng, device, x, y, seed, classes, points=x[:20], options={"max_epochs": 4, "patience": 4})
    first, other_seed = (
        one_run(learner, evidence, {**given, "seed": number, "noise": rng.randrange(2**31), "process": 1})
        for number in (seed, seed + 1)
    )
    learner.restart()
    again = one_run(learner, evidence, {**given, "noise": rng.randrange(2**31), "process": 2})
    repeats = same_run(first, again)
    if not repeats:
        evidence(repeats=False)
    expect(repeats, NOT_REPEATED)
    differs = not same_run(first, other_seed)
    if not differs:
        evidence(differs=False)
    expect(differs, "Two runs with different seeds are the same. The seed has to decide how the samples are split.")


def test_spiral(learner, rng, device, evidence, figure):
    """On the spiral with three arms, the test accuracy is at least 0.95"""
    began = time.monotonic()
    reached = []
    # A good network misses by bad luck now and then: there are 68 points to be right about.
    while not reached or (len(reached) < TRIES and time.monotonic() - began < LONGEST_S):
        learner.restart()
        x, y = spiral(rng)
        points = torch.cat([x, cells()])
        seed = rng.randrange(2**31)
        got = one_run(learner, evidence, setup(rng, device, x, y, seed, 3, points=points))
        reached.append(got["test_accuracy"])
        if got["test_accuracy"] >= ENOUGH:
            break
    draw_regions(figure, x, y, got)
    if max(reached) < ENOUGH:
        evidence(reached=False)
    expect(
        max(reached) >= ENOUGH,
        "On the spiral the test accuracy is {best:.3f}, and it has to be at least {enough}. Is the network large enough, is "
        "the learning rate high enough for 200 epochs, are the points shuffled before they are split?",
        best=max(reached),
        enough=ENOUGH,
    )


# --- The figure ------------------------------------------------------------------------------------------------------

SIDE = 32  # cells
EXTENT = 1.3
FRAMES = 40
LEVELS = 4
LETTERS = "abcdefghijkl"  # class 0 from unsure to sure, then class 1, then class 2


def cells():
    """The middles of a square of cells, row by row from the top: (SIDE * SIDE, 2)."""
    across = (torch.arange(SIDE) + 0.5) / SIDE * 2 * EXTENT - EXTENT
    down, right = torch.meshgrid(across.flip(0), across, indexing="ij")
    return torch.stack([right.flatten(), down.flatten()], dim=1)


def draw_regions(figure, x, y, got):
    """The regions that `predict` gave to the classes, after some forty of the epochs."""
    epochs = len(got["seen"])
    if not epochs:
        return
    best = {got["best_epoch"]} & set(range(epochs))
    shown = sorted(best | {round(step * (epochs - 1) / (FRAMES - 1)) for step in range(FRAMES)})
    figure(
        "regions",
        cells=SIDE,
        extent=EXTENT,
        letters=LETTERS,
        levels=LEVELS,
        points=[[round(a, 2), round(b, 2), label] for (a, b), label in zip(x.tolist(), y.tolist(), strict=True)],
        epochs=shown,
        frames=[frame(got["seen"][epoch][len(x) :]) for epoch in shown],
        accuracy=[round(accuracy(got["seen"][epoch], y, slice(0, len(x))), 3) for epoch in shown],
        val_loss=[got["val_loss"][epoch] if epoch < len(got["val_loss"]) else None for epoch in shown],
        best_epoch=got["best_epoch"],
    )


def frame(predicted):
    """Row by row a letter for each cell: the class, and in how many of `LEVELS` steps the network is sure of it. A number
    behind a letter repeats it."""
    sure, label = predicted.nan_to_num().max(dim=1)
    level = ((sure - 1 / 3) / (1 - 1 / 3) * LEVELS).long().clamp(0, LEVELS - 1)
    rows = (label * LEVELS + level).view(SIDE, SIDE).tolist()
    return ["".join(packed(letter, len(list(run))) for letter, run in itertools.groupby(row)) for row in rows]


def packed(letter, times):
    return LETTERS[letter] + (str(times) if times > 1 else "")
