"""What `collate`, `bucket_batches` and `padding_fraction` must do.

A check first says what characterises the answers (`evidence`), then what must be true of them. A deviation that has a
name is described by that alone, whatever constant or way of drawing a program uses; one that has none is given as it
is, so that only the very same answer counts as the same mistake. Where a program makes two mistakes at once, the facts
speak of the one that the check is about.

Where the order is free, a check asks only for what a right program shows in all but one of a thousand million
judgings: with `CALLS` calls, that each of the six orders of three things turns up fails with probability
6 * (5/6) ** 140 < 1e-10.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch

from judge.kit import close, expect, expect_close

CALLS = 140
FEWER_CALLS = 60  # for what a right program misses in one call with a probability of at most 2/3
IN_BUCKETS = {"sizes": True, "origin": "its bucket"}
# What a program might take for a sign of its own, or lose on the way through another type.
ODD_TOKENS = [-1, -100, 1, 2**24 + 1, -(2**31) - 1, 2**53 + 1, -(2**63), 2**63 - 1]


# --- collate ---------------------------------------------------------------------------------------------------------


def test_padded(learner, reference, rng, device, evidence):
    """Sequences are padded on the right to the longest of their own batch"""
    batches = [draw_batch(rng, longest) for longest in (rng.randint(5, 7), rng.randint(2, 4))]
    got, expected = collated(learner, reference, batches, device)
    evidence(padded=padded_facts(got, batches))
    wider = [draw_batch(rng, rng.randint(10, 14))]
    got_wider, expected_wider = collated(learner, reference, wider, device)
    evidence(padded=padded_facts(got + got_wider, batches + wider))
    expect_padded(got + got_wider, expected + expected_wider, batches + wider, device)

    long = [draw_batch(rng, rng.randint(600, 900), size=2)]
    got, expected = collated(learner, reference, long, device)
    evidence(padded=padded_facts(got, long))
    expect_padded(got, expected, long, device)


def test_pad_value(learner, reference, rng, device, evidence):
    """Padding holds `pad_value`, whatever it is"""
    named, placed = -100, rng.choice([-1, 2**40, rng.randint(1, 999)])
    batches = {value: draw_pair(rng, avoid=value) for value in (named, placed)}
    answers = {
        named: collated(learner, reference, batches[named], device, options={"pad_value": named}),
        placed: collated(learner, reference, batches[placed], device, arguments=[placed]),
    }
    facts = [padded_facts(answers[value][0], batches[value], value) for value in batches]
    ignored = all(found.get("fill") == "another" for found in facts)
    evidence(padded="pad_value is ignored" if ignored else facts)
    for value, (got, expected) in answers.items():
        expect_padded(got, expected, batches[value], device, value)

    batch = draw_batch(rng, 4)
    answer = learner.collate_by_name(batch=batch, pad_value=named)
    right = reference.collate_by_name(batch=batch, pad_value=named)
    expect_padded([answer_of(answer)], [answer_of(right)], [batch], device, named)


def test_mask(learner, reference, rng, device, evidence):
    """The mask is True on real tokens and False on padding"""
    batches = draw_pair(rng, plain=True)
    got, expected = collated(learner, reference, batches, device)
    evidence(mask=mask_facts(got, batches))
    expect_mask(got, expected, batches, device)


def test_mask_not_from_values(learner, reference, rng, device, evidence):
    """A real token that equals `pad_value` stays real"""
    value = rng.choice([-100, -1, rng.randint(1, 999)])
    zeros = [with_token(rng, batch, 0) for batch in draw_pair(rng, plain=True)]
    others = [with_token(rng, batch, value) for batch in draw_pair(rng)]
    got, expected = collated(learner, reference, zeros, device)
    got_others, expected_others = collated(learner, reference, others, device, options={"pad_value": value})
    facts = mask_facts(got, zeros)
    evidence(mask=mask_facts(got_others, others, value) if facts == mask_facts(expected, zeros) else facts)
    expect_mask(got, expected, zeros, device, 0)
    expect_mask(got_others, expected_others, others, device, value)


def test_labels(learner, reference, rng, device, evidence):
    """Labels come as one int64 tensor, in the order of the batch"""
    batches = [*draw_pair(rng), draw_batch(rng, 4, size=1)]
    got, expected = collated(learner, reference, batches, device)
    labels = [answer.labels for answer in got]
    no_tensor = not any(isinstance(part, torch.Tensor) for part in labels)
    evidence(labels="no tensor" if no_tensor else plain(labels))
    for part, right in zip(labels, (answer.labels for answer in expected), strict=True):
        expect(
            isinstance(part, torch.Tensor),
            "`labels` must be a tensor, but it is of type {kind}: a loss function cannot work with that.",
            kind=kind_of(part),
        )
        expect(
            part.dtype == torch.int64,
            "`labels` has dtype {dtype}. Labels are class numbers: they must be torch.int64.",
            dtype=str(part.dtype),
        )
        expect(
            part.shape == right.shape,
            "For a batch of {rows} samples `labels` must have shape ({rows},); yours has {shape}.",
            rows=len(right),
            shape=shape_of(part),
        )
        expect(
            torch.equal(part, right),
            "`labels` must hold the labels of the samples in their order, {right}; yours holds {labels}.",
            right=str(right.tolist()),
            labels=str(part.tolist()),
        )


def test_empty_sequences(learner, reference, rng, device, evidence):
    """An empty sequence keeps its row, even where the whole batch is empty"""
    some = [draw_batch(rng, longest, shortest=0, plain=True) for longest in (rng.randint(4, 6), rng.randint(2, 3))]
    got, expected = collated(learner, reference, some, device)
    evidence(first=first_deviation(got, some))
    expect_padded(got, expected, some, device)
    expect_mask(got, expected, some, device)

    empty = [draw_batch(rng, 0, size=size) for size in (rng.randint(2, 4), 1)]
    got, expected = collated(learner, reference, empty, device)
    evidence(first=first_deviation(got, empty))
    expect_padded(got, expected, empty, device)
    expect_mask(got, expected, empty, device)


def test_leaves_no_trace(learner, rng, evidence):
    """Inputs and the global random state are left as they were, and the same call again gives the same answer"""
    inputs = {"batch": draw_batch(rng, 5), "lengths": draw_lengths(rng, 17), "masks": draw_masks(rng)}
    seeds = rng.sample(range(2**31), 2)
    runs = [learner.twice(**inputs, batch_size=4, global_seed=seed) for seed in seeds]
    left = dict(zip(inputs, runs[0]["inputs"], strict=True))
    changed = [name for name, value in inputs.items() if not close(left[name], value)]
    evidence(**{"changed": True} if changed else {"answers": plain(runs)})
    for name in inputs:
        expect(
            name not in changed,
            "After the call `{name}` is not what it was before. Work on a copy: whoever handed it over still needs it.",
            name=name,
        )
    first, again = plain(runs[0]["answers"])
    for name, before, after in zip(("collate", "padding_fraction"), first, again, strict=True):
        expect(
            close(before, after, equal_nan=True),
            "`{name}` gave another answer when it was called again with the same arguments: something is left "
            "over from the first call, or drawn at random.",
            name=name,
        )
    expect(
        close(plain(runs[0]["kept"]), first[0], equal_nan=True),
        "What `collate` had returned changed when `collate` was called for the next batch. Each batch needs tensors of "
        "its own: the one before may still be in use.",
    )
    expect_not_reseeded(runs)


# --- bucket_batches --------------------------------------------------------------------------------------------------


def test_ascending(learner, reference, rng, evidence):
    """Without a generator the batches follow the lengths, shortest first, and nothing is shuffled"""
    cases = [draw_case(rng, batches_per_bucket) for batches_per_bucket in (1, rng.randint(2, 4))]
    answers, again = pieces(learner.in_order(calls=[*cases, *cases]), len(cases))
    orders = [order_of(answer, case) for answer, case in zip(answers, cases, strict=True)]
    facts, steady = surveys(answers, cases), close(answers, again)
    if facts == "tail lost":
        evidence(batches=facts)
    elif "right" not in orders and (not steady or all(found == IN_BUCKETS for found in facts)):
        evidence(shuffled=facts, source=source(drawn(learner, rng, cases[0], 1), reference))
    else:
        evidence(batches=facts, orders=orders)
    for answer, order, right, case in zip(answers, orders, reference.in_order(calls=cases), cases, strict=True):
        expect_complete(answer, case)
        expect(order != "falling", "Your batches begin with the longest sequences; lengths must ascend.")
        expect_same_batches(answer, right, case)
    expect(steady, "Two calls without a generator gave two orders: nothing may be shuffled then.")

    few = few_samples(rng)
    answers = learner.in_order(calls=few)
    evidence(batches=plain(answers))
    for answer, right, case in zip(answers, reference.in_order(calls=few), few, strict=True):
        expect_complete(answer, case)
        expect_same_batches(answer, right, case)


def test_buckets(learner, rng, figure, evidence):
    """With a generator each batch holds samples of one bucket, and every sample is in one batch"""
    draw_grid(learner, rng, figure)
    single, several = draw_case(rng, 1), draw_case(rng, rng.randint(2, 4))
    del single["batches_per_bucket"]  # 1 is the default
    first, second = drawn(learner, rng, single, calls=2)["answers"]
    cases = [single, several, several]
    answers = [first, *drawn(learner, rng, several, calls=1)["answers"], *drawn_each(learner, rng, [several])]
    evidence(batches=surveys(answers, cases), steady=contents(first, single) == contents(second, single))
    for answer, case in zip(answers, cases, strict=True):
        expect_complete(answer, case)
        expect_buckets(answer, case)

    few = few_samples(rng)
    answers = drawn_each(learner, rng, few)
    evidence(batches=plain(answers))
    for answer, case in zip(answers, few, strict=True):
        expect_complete(answer, case)
        expect_buckets(answer, case)


def test_samples_are_shuffled(learner, reference, rng, evidence):
    """With a generator the samples of a bucket are shuffled, across all its batches"""
    threes = {"lengths": sorted(rng.sample(range(1, 60), 6)), "batch_size": 3}
    run = drawn(learner, rng, threes, CALLS)
    expect_lists(run["answers"], threes)
    orders, most = min(orders_of(bucket, run["answers"]) for bucket in buckets_of(threes))
    evidence(orders=orders, source=source(run, reference) if orders == 1 else "")
    expect(
        orders > 1,
        "In {calls} calls with one generator the samples of a batch always stood in the same order: they are not "
        "shuffled inside their bucket.",
        calls=CALLS,
    )
    expect(
        orders == 6 and 2 * most < CALLS,
        "The three samples of a bucket can stand in six orders, one as likely as the other. In {calls} calls "
        "yours stood in {orders} of them, in one of them {most} times: that is not a full shuffle.",
        calls=CALLS,
        orders=orders,
        most=most,
    )

    fours = {"lengths": sorted(rng.sample(range(1, 60), 4)), "batch_size": 2, "batches_per_bucket": 2}
    answers = drawn(learner, rng, fours, FEWER_CALLS)["answers"]
    expect_lists(answers, fours)
    apart = [pair for bucket in buckets_of(fours) for pair in never_met(bucket, answers)]
    evidence(apart=apart)
    one, other = apart[0] if apart else (0, 0)
    expect(
        not apart,
        "With batch_size=2 and batches_per_bucket=2 four samples form a bucket, and any two of them can share a "
        "batch. In {calls} calls the samples {one} and {other} of the sorted order never did. Shuffle the whole "
        "bucket before you cut it into batches.",
        calls=FEWER_CALLS,
        one=one,
        other=other,
    )


def test_batches_are_shuffled(learner, reference, rng, evidence):
    """With a generator the batches are shuffled among themselves"""
    pairs = {"lengths": sorted(rng.sample(range(1, 60), 5)), "batch_size": 2}
    run = drawn(learner, rng, pairs, CALLS)
    expect_lists(run["answers"], pairs)
    times = Counter(order_of_batches(answer) for answer in run["answers"])
    orders, most = len(times), max(times.values())
    still = all(orders_of(bucket, run["answers"]).orders == 1 for bucket in buckets_of(pairs))
    if orders == 1:
        evidence(orders=1, samples=source(run, reference) if still else "shuffled")
    else:
        evidence(orders=orders, batches=len(run["answers"][0]))
    expect(
        orders > 1,
        "In {calls} calls with one generator the batches always came in the same order. Shuffle the list of "
        "batches as well: else every epoch shows the model the lengths in the same order.",
        calls=CALLS,
    )
    full = len(run["answers"][0]) < 3 or (orders == 6 and 2 * most < CALLS)
    expect(
        full,
        "Three batches can stand in six orders, one as likely as the other. In {calls} calls yours stood in "
        "{orders} of them, in one of them {most} times: that is not a full shuffle.",
        calls=CALLS,
        orders=orders,
        most=most,
    )

    singles = {"lengths": sorted(rng.sample(range(1, 60), 4)), "batch_size": 1, "batches_per_bucket": 2}
    answers = drawn(learner, rng, singles, FEWER_CALLS)["answers"]
    expect_lists(answers, singles)
    together = all(side_by_side(answer, singles) for answer in answers)
    evidence(together=together)
    expect(
        not together,
        "The batches of a bucket always come one after the other. Shuffle all batches among themselves, not the "
        "buckets.",
    )


def test_generator(learner, reference, rng, evidence):
    """The order comes from the given generator alone, and the generator moves on"""
    case = {"lengths": draw_lengths(rng, 29), "batch_size": 4, "batches_per_bucket": 2}
    seed, other_seed, global_seed, other_global_seed = rng.sample(range(2**31), 4)
    seeds = {"seed": seed, "global_seed": global_seed}
    run = drawn(learner, rng, case, 3, **seeds)
    repeated = drawn(learner, rng, case, 3, **seeds)
    elsewhere = drawn(learner, rng, case, 3, seed=seed, global_seed=other_global_seed)
    resumed = drawn(learner, rng, case, 1, **seeds, state=run["states"][1])
    reseeded = drawn(learner, rng, case, 1, seed=other_seed, global_seed=global_seed)
    first, *later = run["answers"]
    for answers in (run, repeated, elsewhere, resumed, reseeded):
        expect_lists(answers["answers"], case)
    by_seed = run["answers"] == repeated["answers"] and first != reseeded["answers"][0]
    origin = source(run, reference)
    evidence(source="the seed" if origin == "none" and by_seed else origin)
    expect(
        run["answers"] == elsewhere["answers"] or run["answers"] != repeated["answers"],
        "The generator was in the same state, only the global random state differed, and the order changed. Every "
        "random number must come from `generator`.",
    )
    expect(
        run["answers"] == repeated["answers"],
        "Two generators in the same state gave two different orders. Every random number must come from "
        "`generator`, and nothing may be kept from call to call.",
    )
    expect_not_reseeded([run, elsewhere])
    expect(
        any(answer != first for answer in later),
        "Three calls with one generator gave the same order three times. Draw from the generator itself, so that "
        "it moves on and the next epoch gets another order.",
    )
    expect(
        resumed["answers"][0] == later[0],
        "A generator set to the state another one had reached did not continue with the same order. The order "
        "must follow from the generator's state, not from its seed or from earlier calls.",
    )
    expect(
        reseeded["answers"][0] != first,
        "Generators with different seeds gave the same order.",
    )


# --- padding_fraction ------------------------------------------------------------------------------------------------


def test_fraction(learner, rng, device, evidence):
    """The padding fraction counts the cells of all batches together, and is 0.0 where there is none"""
    several = [draw_masks(rng) for _ in range(3)]
    got = [learner.padding_fraction(masks=masks, device=device) for masks in several]
    evidence(fraction=fraction_facts(got, several))
    for fraction, masks in zip(got, several, strict=True):
        expect_fraction(fraction, masks)

    for masks in ([*several[0], torch.zeros(3, 0, dtype=torch.bool)], [torch.ones(4, 5, dtype=torch.bool)]):
        got = [learner.padding_fraction(masks=masks, device=device)]
        evidence(fraction=fraction_facts(got, [masks]))
        expect_fraction(got[0], masks)

    for masks in ([], [torch.zeros(rng.randint(1, 4), 0, dtype=torch.bool) for _ in range(rng.randint(1, 3))]):
        got = learner.padding_fraction(masks=masks, device=device)
        evidence(fraction=plain(got))
        expect_close(
            got,
            0.0,
            "With {batches} batches and not a single cell in them the padding fraction is 0.0; yours is {shown}.",
            batches=len(masks),
            shown=str(plain(got)),
        )


# --- what is drawn ---------------------------------------------------------------------------------------------------


def draw_batch(rng, longest, *, size=None, shortest=1, avoid=0, plain=False):
    """Samples of `shortest` to `longest` tokens, both among them; never as many samples as tokens in the longest.

    No token is `avoid`. `plain` tokens are positive, as most are; the others may be any int64.
    """
    size = size or rng.choice([n for n in range(3, 7) if n != longest])
    shortest = min(shortest, longest)
    lengths = [longest, shortest, *(rng.randint(shortest, longest) for _ in range(size - 2))][:size]
    rng.shuffle(lengths)
    return [(draw_sequence(rng, length, avoid, plain), draw_label(rng)) for length in lengths]


def draw_pair(rng, *, avoid=0, plain=False):
    """Two batches of different width, the wider first."""
    return [draw_batch(rng, longest, avoid=avoid, plain=plain) for longest in (rng.randint(5, 7), rng.randint(2, 4))]


def draw_sequence(rng, length, avoid, plain):
    tokens = []
    while len(tokens) < length:
        token = rng.randint(1, 30_000) if plain or rng.random() < 0.6 else rng.choice(ODD_TOKENS)
        if token != avoid:
            tokens.append(token)
    return torch.tensor(tokens, dtype=torch.int64)


def draw_label(rng):
    return rng.choice([rng.randint(0, 9), rng.randint(0, 9), -1, 2**40 + rng.randint(0, 9)])


def with_token(rng, batch, token):
    """The batch with `token` somewhere in some sequences: always in one alone, and at an end of the longest."""
    changed = [(sequence.clone(), label) for sequence, label in batch]
    for sequence, _ in changed:
        if rng.random() < 0.5:
            sequence[rng.randrange(len(sequence))] = token
    longest = max((sequence for sequence, _ in changed), key=len)
    longest[rng.choice([0, -1])] = token
    min((sequence for sequence, _ in changed), key=len)[:] = token
    return changed


def draw_lengths(rng, count, longest=12):
    """Lengths with many ties, the longest first and the shortest last: the given order never rises."""
    lengths = [rng.randint(0, longest) for _ in range(count - 4)]
    return [longest, longest - 1, *lengths, 1, 0]


def draw_case(rng, batches_per_bucket):
    """Arguments that make many batches and buckets, the last of which ends in a short batch."""
    batch_size = rng.randint(3, 5)
    bucket_size = batches_per_bucket * batch_size
    tail = rng.choice([n for n in range(1, bucket_size) if n % batch_size])
    lengths = draw_lengths(rng, max(12, 24 // batches_per_bucket) * bucket_size + tail)
    return {"lengths": lengths, "batch_size": batch_size, "batches_per_bucket": batches_per_bucket}


def few_samples(rng):
    """Arguments with no sample, with fewer than a batch or a bucket takes, and with batches of one."""
    sizes = [(0, 3, 1), (0, 2, 3), (1, 4, 1), (3, 5, 2), (7, 3, 4), (6, 3, 1), (5, 1, 2)]
    return [
        {
            "lengths": [rng.randint(0, 6) for _ in range(count)],
            "batch_size": batch_size,
            "batches_per_bucket": batches_per_bucket,
        }
        for count, batch_size, batches_per_bucket in sizes
    ]


def drawn(learner, rng, case, calls, *, seed=None, global_seed=None, state=None):
    """Answers with a generator, `calls` of them; the global random state is seeded before."""
    options = {name: case[name] for name in ("batches_per_bucket",) if name in case}
    seed = rng.randrange(2**31) if seed is None else seed
    global_seed = rng.randrange(2**31) if global_seed is None else global_seed
    run = learner.draw(
        lengths=case["lengths"],
        batch_size=case["batch_size"],
        calls=calls,
        seed=seed,
        global_seed=global_seed,
        state=state,
        options=options,
    )
    return {**run, "global_seed": global_seed}


def drawn_each(learner, rng, cases):
    """An answer with a generator for each case."""
    return learner.draw_each(calls=[list(case.values()) for case in cases], seed=rng.randrange(2**31))


def draw_masks(rng):
    """Masks of a large batch with little padding and of small ones with much: no two ways of counting agree."""
    large = [rng.randint(17, 20) for _ in range(rng.randint(9, 12))]
    small = [[rng.randint(11, 15), *(rng.randint(1, 3) for _ in range(rng.randint(1, 3)))] for _ in range(2)]
    batches = [large, *small]
    rng.shuffle(batches)
    return [torch.tensor([[place < length for place in range(max(batch))] for length in batch]) for batch in batches]


def draw_grid(learner, rng, figure):
    """Show the cells of the batches as the samples come, and as the learner's buckets have them."""
    lengths = draw_lengths(rng, 12, 10)
    case = {"lengths": lengths, "batch_size": 4}
    (answer,) = drawn(learner, rng, case, 1)["answers"]
    if malformed(answer, case) or len({index for batch in answer for index in batch}) < sum(map(len, answer)):
        return
    as_given = pieces(list(range(len(lengths))), case["batch_size"])
    before, after = ([grid(batch, lengths) for batch in batches] for batches in (as_given, answer))
    figure("grid", before=before, after=after)


def grid(batch, lengths):
    """The rows of a padded batch: 1 for a real cell, 0 for padding."""
    width = max(lengths[index] for index in batch)
    return [[int(place < lengths[index]) for place in range(width)] for index in batch]


# --- answers of collate ----------------------------------------------------------------------------------------------


@dataclass
class Answer:
    padded: object
    mask: object
    labels: object
    devices: list[str]


def answer_of(result, devices=()):
    """What `collate` returned, taken apart; a tuple, a named tuple and a list are all three things."""
    expect(
        isinstance(result, (tuple, list)) and len(result) == 3,
        "`collate` must return three things, padded, mask and labels; yours returned {shown}.",
        shown=f"{len(result)}" if isinstance(result, (tuple, list)) else kind_of(result),
    )
    return Answer(*result, devices=list(devices))


def collated(learner, reference, batches, device, **how):
    """The learner's and the right answers for `batches`."""
    sides = [side.collate(batches=batches, device=device, **how) for side in (learner, reference)]
    got, expected = (
        [answer_of(*parts) for parts in zip(side["results"], side["devices"], strict=True)] for side in sides
    )
    return got, expected


def padded_facts(answers, batches, pad_value=0):
    """How the `padded`s differ from right ones: which way round, how wide, and with what in the padding."""
    forms = [padded_form(answer.padded, batch, pad_value) for answer, batch in zip(answers, batches, strict=True)]
    if None in forms:
        return {"as": plain([answer.padded for answer in answers])}
    ways, widths, fills = zip(*forms, strict=True)
    return {
        "way": way_of(ways),
        "width": width_of(widths, batches),
        "fill": "right" if all(fill == pad_value for fill in fills) else "another",
    }


def padded_form(padded, batch, pad_value):
    """(time first?, width, what the padding holds) of a tensor that is `batch` padded or cut in some way, or None."""
    if not isinstance(padded, torch.Tensor) or padded.dtype != torch.int64 or padded.dim() != 2:
        return None
    for time_first, cells in ((False, padded), (True, padded.T)):
        if len(cells) != len(batch):
            continue
        width = cells.shape[1]
        real = real_cells(batch, width)
        fill = pad_value if real.all() else int(cells[~real][0])
        rows = [torch.cat([sequence[:width], torch.full((width,), fill)])[:width] for sequence, _ in batch]
        if torch.equal(cells, torch.stack(rows)):
            return time_first, width, fill
    return None


def mask_facts(answers, batches, pad_value=0):
    """How the masks differ from right ones: in meaning, else in kind, else which way round and how wide."""
    masks = [answer.mask for answer in answers]
    forms = [mask_forms(mask, batch, pad_value) for mask, batch in zip(masks, batches, strict=True)]
    for meaning in ("right", "inverted", "from values"):
        if all(meaning in form for form in forms):
            break
    else:
        return {"as": plain(masks)}
    if meaning != "right":
        return {"meaning": meaning}
    if any(mask.dtype != torch.bool for mask in masks):
        return {"kind": "numbers"}
    ways, widths = zip(*(form["right"] for form in forms), strict=True)
    return {"way": way_of(ways), "width": width_of(widths, batches)}


def mask_forms(mask, batch, pad_value):
    """What the mask may mean, and for each meaning (time first?, width)."""
    if not isinstance(mask, torch.Tensor) or mask.dim() != 2 or not torch.equal(mask, mask.bool().to(mask.dtype)):
        return {}
    forms = {}
    for time_first, cells in ((True, mask.bool().T), (False, mask.bool())):
        if len(cells) != len(batch):
            continue
        real = real_cells(batch, cells.shape[1])
        seen = seen_values(batch, real, pad_value)
        meanings = {"right": [real], "inverted": [~real], "from values": [*seen, *(~mask for mask in seen)]}
        for meaning, readings in meanings.items():
            if any(torch.equal(cells, reading) for reading in readings):
                forms[meaning] = (time_first, cells.shape[1])
    return forms


def first_deviation(answers, batches):
    """How the `padded`s differ from right ones, and where they do not, how the masks do."""
    padded = padded_facts(answers, batches)
    if padded.get("fill") == "right":
        del padded["fill"]
    return mask_facts(answers, batches) if padded == {"way": "batch first", "width": "right"} else padded


def real_cells(batch, width):
    lengths = torch.tensor([[len(sequence)] for sequence, _ in batch])
    return torch.arange(width) < lengths  # (B, width)


def seen_values(batch, real, pad_value):
    """Masks that tell real tokens from padding by their value: cell by cell, counted, or from the end."""
    width = real.shape[1]
    other = real.clone()
    for row, (sequence, _) in enumerate(batch):
        other[row, : len(sequence)] &= sequence[:width] != pad_value
    counted = torch.arange(width) < other.sum(1, keepdim=True)
    from_the_end = other.flip(1).cummax(1).values.flip(1) if width else other
    return other, counted, from_the_end


def way_of(ways):
    return {(False,): "batch first", (True,): "time first"}.get(tuple(set(ways)), "both")


def width_of(widths, batches):
    """How wide the answers are: right, as the shortest sequences, one width for all, or else."""
    lengths = [[len(sequence) for sequence, _ in batch] for batch in batches]
    if list(widths) == [max(each) for each in lengths]:
        return "right"
    if list(widths) == [min(each) for each in lengths]:
        return "shortest"
    return "one for all" if len(batches) > 1 == len(set(widths)) else list(widths)


def expect_padded(answers, expected, batches, device, pad_value=0):
    for answer, right, batch in zip(answers, expected, batches, strict=True):
        padded = answer.padded
        expect(
            isinstance(padded, torch.Tensor),
            "`padded` must be a tensor, but it is of type {kind}.",
            kind=kind_of(padded),
        )
        expect(
            padded.dtype == torch.int64,
            "`padded` has dtype {dtype}. Tokens are whole numbers that look up a row of an embedding: keep "
            "torch.int64, also where there is no token at all.",
            dtype=str(padded.dtype),
        )
        expect_shape("padded", padded, right.padded, batch)
        row = first_wrong_row(padded, right.padded)
        expect(
            row is None,
            "Row {row} of `padded` must begin with the {length} tokens of its sequence and hold "
            "pad_value={pad_value} after them; yours is {shown}.",
            row=row,
            length=len(batch[row or 0][0]),
            pad_value=pad_value,
            shown=row_of(padded, row),
        )
        expect_device("padded", answer.devices[:1], device)


def expect_mask(answers, expected, batches, device, equal_token=None):
    """`equal_token`: a pad_value that is among the real tokens, too."""
    for answer, right, batch in zip(answers, expected, batches, strict=True):
        mask = answer.mask
        expect(
            isinstance(mask, torch.Tensor),
            "`mask` must be a tensor, but it is of type {kind}.",
            kind=kind_of(mask),
        )
        expect(
            mask.dtype == torch.bool,
            "`mask` has dtype {dtype}. It says yes or no: make it torch.bool, so that `~mask` and `x[mask]` do "
            "what they say.",
            dtype=str(mask.dtype),
        )
        expect_shape("mask", mask, right.mask, batch)
        row = first_wrong_row(mask, right.mask)
        expect(
            row is None or not only_lost(mask[row], batch[row][0], equal_token),
            "Row {row} of `mask` is wrong where tokens equal pad_value={pad_value}: {shown}. Those are real "
            "tokens. Whether a cell is padding follows from the length of its sequence, not from the number in it.",
            row=row,
            pad_value=equal_token,
            shown=row_of(mask, row),
        )
        expect(
            row is None,
            "Row {row} of `mask` belongs to a sequence of {length} tokens: it must be True on the first {length} "
            "cells and False on the others; yours is {shown}.",
            row=row,
            length=len(batch[row or 0][0]),
            shown=row_of(mask, row),
        )
        expect_device("mask", answer.devices[1:], device)


def only_lost(mask, sequence, token):
    """Whether a row of the mask is right except on real cells that hold `token`."""
    real = torch.arange(len(mask)) < len(sequence)
    return token is not None and bool((mask == real)[~real].all() and (sequence[~mask[real]] == token).all())


def expect_shape(name, tensor, right, batch):
    expect(
        tensor.shape == right.shape,
        "For {rows} sequences, the longest of {longest} tokens, `{name}` must have shape ({rows}, {longest}); "
        "yours has {shape}.",
        name=name,
        rows=len(batch),
        longest=max(len(sequence) for sequence, _ in batch),
        shape=shape_of(tensor),
    )


def expect_device(name, devices, device):
    expect(
        devices in ([], [torch.device(device).type]),
        "`{name}` is not on the device of the sequences, {device}.",
        name=name,
        device=str(device),
    )


def first_wrong_row(tensor, right):
    wrong = (tensor != right).any(1)
    return int(wrong.nonzero()[0]) if wrong.any() else None


def row_of(tensor, row, most=16):
    if row is None:
        return ""
    cells = tensor[row].tolist()
    return str(cells) if len(cells) <= most else f"{str(cells[:most])[:-1]}, ...]"


def expect_not_reseeded(runs):
    """The runs began with different global seeds: streams that agree after them have been seeded again in between."""
    again = [one == other for one, other in zip(*(run["streams"] for run in runs), strict=True)]
    for name, seeded in zip(("random", "numpy.random", "torch"), again, strict=True):
        expect(
            not seeded,
            "The global random state of `{name}` was seeded again. Whatever else draws from it now repeats "
            "itself: leave it alone.",
            name=name,
        )


# --- answers of bucket_batches ---------------------------------------------------------------------------------------


def pieces(items, size):
    return [items[start : start + size] for start in range(0, len(items), size)]


def by_length(case):
    lengths = case["lengths"]
    return sorted(range(len(lengths)), key=lambda index: (lengths[index], index))


def bucket_size_of(case):
    return case["batch_size"] * case.get("batches_per_bucket", 1)


def buckets_of(case):
    return pieces(by_length(case), bucket_size_of(case))


def malformed(answer, case):
    """What keeps the answer from being a list of lists of indices, none of them empty, or None."""
    if not isinstance(answer, list):
        return kind_of(answer)
    for batch in answer:
        if not isinstance(batch, list):
            return f"list of {kind_of(batch)}"
        for index in batch:
            if not isinstance(index, int) or isinstance(index, bool):
                return f"list of list of {kind_of(index)}"
            if not 0 <= index < len(case["lengths"]):
                return str(index)
        if not batch:
            return "[]"
    return None


def expect_lists(answers, case):
    for answer in answers:
        trouble = malformed(answer, case)
        expect(
            trouble is None,
            "`bucket_batches` must return a list of batches, each a list with at least one index from 0 to N - 1 "
            "as a plain int; in yours there is: {trouble}.",
            trouble=trouble,
        )


def expect_complete(answer, case):
    """A list of lists in which each index stands once."""
    count = len(case["lengths"])
    expect(
        count > 0 or answer == [],
        "Without samples there is no batch: the answer is [], yours is {shown}.",
        shown=str(plain(answer)),
    )
    expect_lists([answer], case)
    times = Counter(index for batch in answer for index in batch)
    lost = [index for index in range(count) if not times[index]]
    expect(
        not lost,
        "With {count} samples and batch_size={batch_size}, these indices are in no batch: {lost}. Every sample "
        "belongs in one, also when the last batch is short.",
        count=count,
        batch_size=case["batch_size"],
        lost=str(lost),
    )
    more = [index for index in range(count) if times[index] > 1]
    expect(
        not more,
        "These indices stand in more than one place: {more}. Every sample belongs in one batch.",
        more=str(more),
    )


def expect_buckets(answer, case):
    """Batches of the right sizes, each from one bucket."""
    lengths, batch_size = case["lengths"], case["batch_size"]
    place = places_in(buckets_of(case))
    for batch in answer:
        near, far = min(batch, key=place.__getitem__), max(batch, key=place.__getitem__)
        expect(
            place[near] == place[far],
            "Samples {near} and {far}, with {near_length} and {far_length} tokens, share a batch. Sorted by "
            "length and cut into buckets of {bucket_size}, they are in different buckets.",
            near=near,
            far=far,
            near_length=lengths[near],
            far_length=lengths[far],
            bucket_size=bucket_size_of(case),
        )
    expect(
        Counter(map(len, answer)) == right_sizes(case),
        "{count} samples with batch_size={batch_size} make full batches and at most one short one, from the "
        "longest bucket; your batches have the sizes {sizes}.",
        count=len(lengths),
        batch_size=batch_size,
        sizes=str([len(batch) for batch in answer]),
    )


def expect_same_batches(answer, right, case):
    place = next((n for n, batch in enumerate(right) if n >= len(answer) or answer[n] != batch), None)
    batch = right[place or 0] if right else []
    expect(
        answer == right,
        "Without a generator lengths ascend, and equal lengths keep the order of their indices. With "
        "batch_size={batch_size}, batch {place} holds the samples {right} of {lengths} tokens; yours is {yours}.",
        batch_size=case["batch_size"],
        place=place,
        right=str(batch),
        lengths=str([case["lengths"][index] for index in batch]),
        yours=str(answer[place or 0]) if (place or 0) < len(answer) else "missing",
    )


def right_sizes(case):
    return Counter(map(len, pieces(case["lengths"], case["batch_size"])))


def places_in(buckets):
    return {index: place for place, bucket in enumerate(buckets) for index in bucket}


def surveys(answers, cases):
    """That all answers lack their tail, or for each what its batches are made of."""
    if all(tail_lost(answer, case) for answer, case in zip(answers, cases, strict=True)):
        return "tail lost"
    return [survey(answer, case) for answer, case in zip(answers, cases, strict=True)]


def survey(answer, case):
    """Whether the batches have the right sizes and where their samples come from; an incomplete answer as it is."""
    count = len(case["lengths"])
    if malformed(answer, case) or sorted(index for batch in answer for index in batch) != list(range(count)):
        return plain(answer)
    place = places_in(buckets_of(case))
    given = places_in(pieces(list(range(count)), bucket_size_of(case)))
    spans = [max(map(place.get, batch)) - min(map(place.get, batch)) for batch in answer]
    if not any(spans):
        origin = "its bucket"
    elif all(len({given[index] for index in batch}) == 1 for batch in answer):
        origin = "a bucket of the given order"
    else:
        origin = "everywhere" if 4 * sum(spans) > len(spans) * max(place.values()) else "near its bucket"
    return {"sizes": Counter(map(len, answer)) == right_sizes(case), "origin": origin}


def tail_lost(answer, case):
    """Whether all batches are full and just the samples after the last full batch, or bucket, are missing."""
    if malformed(answer, case) or {len(batch) for batch in answer} != {case["batch_size"]}:
        return False
    there = [index for batch in answer for index in batch]
    count = len(case["lengths"])
    lost = set(range(count)) - set(there)
    sizes = (case["batch_size"], bucket_size_of(case))
    last = (set(buckets_of(case)[-1]), set(range(count - bucket_size_of(case), count)))
    return (
        len(there) == len(set(there))
        and len(lost) in [count % size for size in sizes if count % size]
        and any(lost <= bucket for bucket in last)
    )


def order_of(answer, case):
    if malformed(answer, case):
        return "none"
    indices = [index for batch in answer for index in batch]
    lengths = [case["lengths"][index] for index in indices]
    if indices == by_length(case):
        return "right"
    if lengths == sorted(lengths):
        return "rising"
    return "falling" if lengths == sorted(lengths, reverse=True) else "neither"


def contents(answer, case):
    """The batches whatever their order and that of their samples."""
    return None if malformed(answer, case) else sorted(sorted(batch) for batch in answer)


class Orders(NamedTuple):
    orders: int
    most: int  # how often the most frequent one came


def orders_of(bucket, answers):
    """In how many orders the samples of `bucket` stand, batch boundaries aside."""
    times = Counter(tuple(index for batch in answer for index in batch if index in bucket) for answer in answers)
    return Orders(len(times), max(times.values()))


def never_met(bucket, answers):
    """The pairs of `bucket` that never share a batch."""
    met = {(one, other) for answer in answers for batch in answer for one in batch for other in batch if one < other}
    return [[one, other] for one in bucket for other in bucket if one < other and (one, other) not in met]


def order_of_batches(answer):
    return tuple(sorted(range(len(answer)), key=lambda place: min(answer[place])))


def side_by_side(answer, case):
    """Whether the batches of each bucket follow one another."""
    place = places_in(buckets_of(case))
    buckets = [place[batch[0]] for batch in answer]
    return sum(one != other for one, other in pairwise(buckets)) < len(set(buckets))


def source(run, reference):
    """Where the run drew from: "global", "none" (not from the generator it was given either) or "given"."""
    untouched = reference.draw(lengths=[], batch_size=1, calls=0, seed=0, global_seed=run["global_seed"])["streams"]
    if run["streams"] != untouched:
        return "global"
    before, *_, after = run["states"]
    return "none" if torch.equal(before, after) else "given"


# --- answers of padding_fraction -------------------------------------------------------------------------------------


def right_fraction(masks):
    cells = sum(mask.numel() for mask in masks)
    return 1 - sum(int(mask.sum()) for mask in masks) / cells


def fraction_facts(fractions, several):
    """That each is a mean of the fractions of batches or of sequences, or the numbers."""

    def mean_of(parts):
        fractions = [right_fraction([part]) for part in parts if part.numel()]
        return sum(fractions) / len(fractions)

    def is_mean(got, masks):
        rows = [row for mask in masks for row in mask]
        return any(close(got, mean, rtol=0.0, atol=1e-5) for mean in (mean_of(masks), mean_of(rows)))

    mean = all(is_mean(got, masks) for got, masks in zip(fractions, several, strict=True))
    return "mean" if mean and any(len(masks) > 1 for masks in several) else plain(fractions)


def expect_fraction(got, masks):
    right = right_fraction(masks)
    expect(
        isinstance(got, float | int) and not isinstance(got, bool),
        "`padding_fraction` must return a float; yours returned {kind}.",
        kind=kind_of(got),
    )
    # A right program may count in float32, which holds a fraction to 1e-7.
    expect_close(
        got,
        right,
        "In batches of {shapes} cells, {padded} of {cells} cells are padding: a fraction of {expected}. Yours is "
        "{got}.",
        rtol=0.0,
        atol=1e-6,
        shapes=", ".join(f"{mask.shape[0]} x {mask.shape[1]}" for mask in masks),
        padded=sum(int((~mask).sum()) for mask in masks),
        cells=sum(mask.numel() for mask in masks),
    )


# --- how things are shown --------------------------------------------------------------------------------------------


def kind_of(value):
    """The name of a value's type, also of one that is no plain data."""
    return getattr(value, "type_name", type(value).__name__)


def shape_of(tensor):
    return str(tuple(tensor.shape))


def plain(data):
    """`data` with the type's name in place of everything that is no plain data, so that it can be compared."""
    if isinstance(data, (list, tuple)):
        items = [plain(item) for item in data]
        return tuple(items) if isinstance(data, tuple) else items
    if isinstance(data, dict):
        return {key: plain(item) for key, item in data.items()}
    return f"<{data.type_name}>" if hasattr(data, "type_name") else data
