"""What a loader with a seed must do. Values, sizes and seeds are drawn anew for each judging.

The orders are free, so a check says as evidence which of the properties asked for an order has. Where orders must
differ there are at least 12 samples: that a right program has the same one twice happens once in 12! > 4e8 pairs.

In all checks but those of the last batch the batches are full, so that dropping one shows in those only.
"""

import math
from itertools import combinations

import torch

from judge.kit import expect, expect_close

SMALL_EPOCHS = 100  # of four samples: a full shuffle shows 23 or 24 of the 24 orders, and never less than 15
FEWEST_ORDERS = 10  # turning the samples round shows 4, shuffling whole batches 2


def draw(rng, batches=3):
    """Samples that are no indices, in full batches: in so many, or more."""
    batch_size = rng.randint(3, 5)
    count = batch_size * max(batches, math.ceil(12 / batch_size))
    return {"values": rng.sample(range(1000, 10_000), count), "batch_size": batch_size}


def draw_short(rng):
    """The same with a short last batch."""
    batch_size = rng.randint(3, 5)
    count = batch_size * 4 + rng.randint(1, batch_size - 1)
    return {"values": rng.sample(range(1000, 10_000), count), "batch_size": batch_size}


def draw_seed(rng):
    return rng.randrange(1, 2**31)


def test_is_a_loader(learner, rng, evidence):
    """It is a DataLoader, and its batches are tensors unless `collate_fn` says otherwise"""
    data = draw(rng)
    got = learner.kind(seed=draw_seed(rng), **data)
    tensors = [isinstance(batch, torch.Tensor) for batch in got["batches"]]
    evidence(is_loader=got["is_loader"], tensors=tensors)
    expect(
        got["is_loader"] is True,
        "`make_loader` did not return a `torch.utils.data.DataLoader`. Return one, or an instance of a subclass.",
    )
    expect(
        all(tensors) and len(tensors) == len(data["values"]) // data["batch_size"],
        "Without `collate_fn`, {count} numbers in batches of {batch_size} are {batches} tensors, as with any DataLoader.",
        count=len(data["values"]),
        batch_size=data["batch_size"],
        batches=len(data["values"]) // data["batch_size"],
    )


def test_repeats(learner, rng, evidence):
    """Two loaders with one seed give the same order, epoch by epoch"""
    data, seed = draw(rng), draw_seed(rng)
    runs = [{"seed": seed, "shuffle": True}, {"seed": 0}]
    # Made and iterated one after the other: this is how a stream that both share still seems to repeat.
    alone = [learner.epochs(runs=[runs[0]], count=3, global_seed=global_seed, **data) for global_seed in (1, 2)]
    pairs = [learner.epochs(runs=[run, run], count=3, **data) for run in runs]
    together = [[one == other for one, other in zip(*pair, strict=True)] for pair in pairs]
    # A stream that loaders share begins in a new process where it began in the first; one without the seed does not.
    learner.restart()
    anew = learner.epochs(runs=[runs[0]], count=3, global_seed=3, **data)
    evidence(together=together, alone=alone[0] == alone[1], anew=alone[0] == anew)
    for run, same in zip(runs, together, strict=True):
        expect(
            all(same),
            "Two loaders were made with seed {seed} and then iterated in turns, epoch by epoch: in epoch {epoch} they "
            "gave different orders. Each loader needs a random stream of its own, seeded with `seed`.",
            seed=run["seed"],
            epoch=same.index(False) if False in same else 0,
        )
    expect(
        alone[0] == alone[1],
        "A loader was made with seed {seed} and iterated, then another one: the orders differ.",
        seed=seed,
    )


def test_other_seeds(learner, rng, evidence):
    """Another seed gives another order"""
    data, seed = draw(rng, batches=10), draw_seed(rng)  # who shuffles whole batches has 10! orders
    seeds = [seed, seed + 1, draw_seed(rng), 0]
    runs = [{"seed": seed, "shuffle": True} for seed in seeds]
    several = learner.epochs(runs=runs, count=2, **data)
    first = [flat(its_epochs[0]) for its_epochs in several]
    alike = [pair for pair in combinations(range(len(seeds)), 2) if several[pair[0]][0] == several[pair[1]][0]]
    later = [pair for pair in combinations(range(len(seeds)), 2) if several[pair[0]][1] == several[pair[1]][1]]
    evidence(order=order_of(first[0], data), alike=alike, later=later)
    for pairs in (alike, later):
        one, other = pairs[0] if pairs else (0, 0)
        expect(
            not pairs,
            "The seeds {one} and {other} gave the same order.",
            one=seeds[one],
            other=seeds[other],
        )


def test_every_epoch_another_order(learner, rng, evidence):
    """Shuffling is the default, and every epoch has an order of its own"""
    data, seed = draw(rng), draw_seed(rng)
    (answers,) = learner.epochs(runs=[{"seed": seed}], count=4, **data)
    orders = [flat(epoch) for epoch in answers]
    kinds = {order_of(order, data) for order in orders}
    evidence(kinds=sorted(kinds), different=len({tuple(order) for order in orders}))
    for order in orders:
        expect(
            order_of(order, data) != "incomplete",
            "An epoch over {count} samples gave {given} of them, or some more than once. Every sample comes once in "
            "every epoch.",
            count=len(data["values"]),
            given=len(set(order)),
        )
        expect(order_of(order, data) != "kept", "Without `shuffle` given, an epoch had the order of the dataset.")
    expect(
        len({tuple(order) for order in orders}) == len(orders),
        "Two of four epochs of one loader had the same order. The random stream must go on from epoch to epoch: seed it "
        "once, when the loader is made.",
    )

    few = {"values": rng.sample(range(1000, 10_000), 4), "batch_size": 2}
    (answers,) = learner.epochs(runs=[{"seed": seed, "shuffle": True}], count=SMALL_EPOCHS, **few)
    different = len({tuple(flat(epoch)) for epoch in answers})
    evidence(enough=different >= FEWEST_ORDERS)
    expect(
        different >= FEWEST_ORDERS,
        "Four samples in batches of two can come in 24 orders. In {epochs} epochs yours came in {different}: shuffle "
        "the samples, not only the batches.",
        epochs=SMALL_EPOCHS,
        different=different,
    )


def test_without_shuffling(learner, rng, evidence):
    """With shuffle=False the samples keep the dataset's order"""
    data = draw(rng)
    (answers,) = learner.epochs(runs=[{"seed": draw_seed(rng), "shuffle": False}], count=2, **data)
    orders = [flat(epoch) for epoch in answers]
    evidence(kinds=[order_of(order, data) for order in orders])
    expect(
        all(order == data["values"] for order in orders),
        "With shuffle=False the samples came in another order than the dataset has, or not all of them. Validation "
        "data is read like this.",
    )


def test_last_batch_is_kept(learner, rng, evidence):
    """The last batch may be short, and no sample is lost"""
    data = draw_short(rng)
    seed = draw_seed(rng)
    runs = [
        {"seed": seed},
        {"seed": seed, "shuffle": False},
        {"seed": seed, "shuffle": True, "drop_last": False},
    ]
    for (epoch,) in learner.epochs(runs=runs, count=1, **data):
        sizes = sorted(map(len, epoch), reverse=True)  # when it comes is another check's business
        evidence(
            sizes="none short" if short_lost(sizes, data) else sizes,
            complete=sorted(flat(epoch)) == sorted(data["values"]),
        )
        expect_sizes(sizes, data)
        expect(
            sorted(flat(epoch)) == sorted(data["values"]),
            "The batches have the right sizes, but not every sample came once.",
        )


def test_drop_last(learner, rng, evidence):
    """With drop_last=True a short last batch is left out, a full one is not"""
    short, full = draw_short(rng), draw(rng)
    seed = draw_seed(rng)
    for data in (short, full):
        whole = len(data["values"]) // data["batch_size"]
        runs = [{"seed": seed, "drop_last": True, "shuffle": shuffle} for shuffle in (True, False)]
        (shuffled,), (kept,) = learner.epochs(runs=runs, count=1, **data)
        facts = []
        for epoch in (shuffled, kept):
            sizes = [len(batch) for batch in epoch]
            facts.append("kept" if sum(sizes) == len(data["values"]) else sizes)
        evidence(sizes=facts, in_order=flat(kept) == data["values"][: len(flat(kept))])
        for epoch in (shuffled, kept):
            sizes = [len(batch) for batch in epoch]
            expect(
                sizes == [data["batch_size"]] * whole and len(set(flat(epoch))) == sum(sizes),
                "With drop_last=True, {count} samples in batches of {batch_size} are {whole} batches, all of them full; "
                "yours have the sizes {sizes}.",
                count=len(data["values"]),
                batch_size=data["batch_size"],
                whole=whole,
                sizes=str(sizes),
            )


def test_collate_fn(learner, rng, evidence):
    """`collate_fn` makes the batches"""
    data, factor = draw(rng), rng.randint(2, 9)
    batches = learner.collated(seed=draw_seed(rng), factor=factor, **data)
    own = [batch["scaled"] for batch in batches if isinstance(batch, dict)]  # what the probe's collate_fn gives
    right = len(own) == len(batches) and sorted(flat(own)) == sorted(factor * value for value in data["values"])
    evidence(used=bool(own), right=right)
    expect(bool(own), "With a `collate_fn` the loader gave something else than what `collate_fn` returned.")
    expect(right, "`collate_fn` must be called once for each batch, with the list of its samples.")


def test_global_streams(learner, rng, evidence):
    """Making and iterating a loader leaves the global random streams as they were"""
    data, seed = draw(rng), draw_seed(rng)
    settings = [{"shuffle": True}, {"shuffle": False}]
    one, other = (
        learner.surroundings(seed=seed, settings=settings, global_seed=global_seed, **data)
        for global_seed in rng.sample(range(2**31), 2)
    )
    change = worst_change(one["phases"], other["phases"])
    # An order that repeats although a stream has moved was not drawn from that stream.
    repeats = change == "seeded" or one["orders"] == other["orders"]
    made = any(phases[1] != phases[0] for phases in one["phases"])
    evidence(streams=change, by_making=made and change == "moved", repeats=repeats, dataset=one["changed"])
    expect(not one["changed"], "The dataset that was handed over has another order afterwards.")
    expect(
        change != "seeded",
        "A global random stream was seeded anew. From then on everything that draws from it, dropout for one, repeats "
        "what it drew after the last loader was made. Seed a `torch.Generator` of the loader's own.",
    )
    expect(
        change != "moved",
        "The global random streams are not where they were, so training goes another way only because a loader was "
        "made or iterated. Even without shuffling each epoch of a DataLoader draws a number: give it a generator.",
    )


def test_workers_draw_for_themselves(learner, rng, evidence):
    """Each worker draws other random numbers than the others"""
    (rows,) = learner.streams(items=4, batch_size=1, num_workers=2, seeds=[draw_seed(rng)], options={})
    workers = sorted({int(worker) for _, worker, *_ in rows})
    same = [stream for stream in STREAMS if drawn(rows, 0, stream) == drawn(rows, 1, stream)]
    evidence(workers=workers, same=bool(same))
    expect(
        workers == [0, 1],
        "With num_workers=2 the samples must be made by two workers; here they were made by {count}.",
        count=sum(worker >= 0 for worker in workers),
    )
    expect(
        not same,
        "Both workers drew the same numbers from {names}: every second sample is augmented just like the one before it.",
        names=", ".join(same),
    )


def test_workers_repeat(learner, rng, evidence):
    """What the workers draw repeats with the seed"""
    # Twelve samples: whether the order repeats too tells who forgot the workers from who forgot the seed.
    one, other = learner.streams(
        items=12, batch_size=3, num_workers=2, seeds=[draw_seed(rng)] * 2, options={"shuffle": True}
    )
    differ = [
        stream
        for stream in STREAMS
        if any(drawn(one, worker, stream) != drawn(other, worker, stream) for worker in (-1, 0, 1))
    ]
    order = [[index for index, *_ in rows] for rows in (one, other)]
    evidence(repeats=not differ, order=order[0] == order[1])
    expect(
        not differ,
        "Two loaders were made with one seed, and their workers drew other numbers from {names}. The seeds of the "
        "workers come from the loader's generator; without one they come from the global stream.",
        names=", ".join(differ),
    )


# --- what came ---------------------------------------------------------------------------------------------------------

STREAMS = {"random": 2, "numpy.random": 3, "torch": 4}  # and their columns in what the workers draw


def flat(epoch):
    return [value for batch in epoch for value in batch]


def order_of(order, data):
    """Whether an epoch is complete, and whether it has the dataset's order."""
    if order == data["values"]:
        return "kept"
    return "shuffled" if sorted(order) == sorted(data["values"]) else "incomplete"


def short_lost(sizes, data):
    """Whether just the short last batch is missing."""
    return sizes == [data["batch_size"]] * (len(data["values"]) // data["batch_size"])


def expect_sizes(sizes, data):
    count, batch_size = len(data["values"]), data["batch_size"]
    expect_close(
        sizes,
        [batch_size] * (count // batch_size) + [count % batch_size],
        "{count} samples in batches of {batch_size} leave a last batch of {rest}; yours have the sizes {sizes}. Unless "
        "drop_last=True is given, it is kept.",
        count=count,
        batch_size=batch_size,
        rest=count % batch_size,
        sizes=str(sizes),
    )


def worst_change(one, other):
    """What became of any global stream in two runs that began differently: "kept", "moved" or "seeded"."""
    found = "kept"
    for phases, others in zip(one, other, strict=True):
        for now, then in zip(phases, others, strict=False):
            for stream, began, there in zip(now, phases[0], then, strict=True):
                if stream == there:
                    return "seeded"  # the same, whatever was there before
                if stream != began:
                    found = "moved"
    return found


def drawn(rows, worker, stream):
    """What a worker drew from one of its streams, in its order; the main process is worker -1."""
    return [row[STREAMS[stream]] for row in rows if row[1] == worker]
