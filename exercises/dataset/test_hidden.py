"""What a TextDataset must do. Ids, labels and lengths are drawn anew for each judging.

Each check looks at one property and takes the others as they come: ids may be floats or the pair turned round where a
check asks which samples there are. A check that asks where a sample came from finds it by its ids, which no two
samples share, and names that as evidence instead of the numbers.
"""

import torch

from judge.kit import expect, expect_close

# What is lost on the way through a float or through 32 bits.
LARGE_IDS = [2**24 + 1, 2**31 + 7, 2**53 + 1]


def draw(rng, lengths=None):
    """Sequences, not all of one length and no two of one id, and labels, all different."""
    lengths = lengths or draw_lengths(rng)
    ids = iter(rng.sample(range(1, 1000), sum(lengths)))
    sequences = [[next(ids) for _ in range(length)] for length in lengths]
    return {"sequences": sequences, "labels": rng.sample(range(2, 100), len(lengths))}


def draw_lengths(rng):
    """None of them is the number of sequences: who takes one for the other is seen."""
    lengths = [2, 9, *rng.choices(range(2, 5), k=rng.randint(3, 6))]
    rng.shuffle(lengths)
    return lengths


def test_length(learner, rng, evidence):
    """`len` is the number of samples, and the class is a Dataset"""
    data = draw(rng)
    got = learner.length(**data)
    count, tokens = len(data["labels"]), sum(map(len, data["sequences"]))
    evidence(length="tokens" if got["length"] == tokens else got["length"], is_dataset=got["is_dataset"])
    expect(
        got["length"] == count,
        "{count} sequences with {tokens} tokens altogether make a dataset of length {count}; `len` says {length}.",
        count=count,
        tokens=tokens,
        length=got["length"],
    )
    expect(
        got["is_dataset"] is True,
        "`TextDataset` does not inherit from `torch.utils.data.Dataset`, which is what everybody asks a dataset for.",
    )


def test_items(learner, rng, evidence):
    """Each index gives its own sequence and its own label, as often as it is asked"""
    data = draw(rng)
    count = len(data["labels"])
    order = [*rng.sample(range(count), count), *rng.sample(range(count), count)]
    answers = learner.read(indices=order, **data)
    evidence(samples=[told(answer, data) for answer in answers])
    for index, answer in zip(order, answers, strict=True):
        expect_sample(answer, index, data)
    # Everything by keyword, and samples of equal length, which could be stored as a table.
    even = draw(rng, lengths=[3] * 4)
    answers = learner.read_by_name(indices=[2, 0, 3, 1], **even)
    evidence(samples=[told(answer, even) for answer in answers])
    for index, answer in zip([2, 0, 3, 1], answers, strict=True):
        expect_sample(answer, index, even)


def test_pair(learner, rng, evidence):
    """An item is a pair: first the ids, then the label"""
    data = draw(rng)
    items = [answer.get("item") for answer in learner.read(indices=[0, 1], **data)]
    forms = [form_of(item) for item in items]
    evidence(forms=forms)
    for form in forms:
        expect(
            form != "label, ids",
            "An item came as (label, ids). Whoever takes it apart with `ids, label = dataset[i]` holds the one for the "
            "other: the ids come first.",
        )
        expect(form == "ids, label", "An item must be a pair of ids and a label; yours is: {form}.", form=form)


def test_ids(learner, rng, evidence):
    """The ids are an int64 tensor of one dimension, every number kept"""
    data = draw(rng)
    for sequence, large in zip(data["sequences"], LARGE_IDS, strict=False):
        sequence[rng.randrange(len(sequence))] = large
    everyone = range(len(data["labels"]))
    ids = [parts(answer)[0] for answer in learner.read(indices=list(everyone), **data)]
    evidence(ids=[kind_of_ids(part, sequence) for part, sequence in zip(ids, data["sequences"], strict=True)])
    for part, sequence in zip(ids, data["sequences"], strict=True):
        expect_int64(part, "The ids came with dtype {dtype}. They must be torch.int64: an embedding takes no floats.")
        expect(
            tuple(part.shape) == (len(sequence),),
            "{count} ids came as a tensor of shape {shape}; it must be ({count},).",
            count=len(sequence),
            shape=str(tuple(part.shape)),
        )
        expect(
            part.tolist() == sequence,
            "The ids {right} came as {ids}. Ids may be large: a number on its way through a float or through 32 bits "
            "comes out as another.",
            right=str(sequence),
            ids=str(part.tolist()),
        )


def test_labels(learner, rng, evidence):
    """The label is a plain int"""
    data = draw(rng)
    labels = [parts(answer)[1] for answer in learner.read(indices=[0, 1, 2], **data)]
    evidence(labels=[type_of(label) for label in labels])
    for label, right in zip(labels, data["labels"], strict=False):
        expect(
            isinstance(label, int),
            "The label {right} came as a {kind}. It must be an int, as it was in the list of labels.",
            right=right,
            kind=type_of(label),
        )


def test_empty_sequences(learner, rng, evidence):
    """A sequence without tokens is a sample too: an int64 tensor of shape (0,)"""
    data = draw(rng, lengths=rng.sample([0, 0, 3, 2, 4], 5))
    everyone = list(range(5))
    answers = learner.read(indices=everyone, **data)
    empty = [index for index in everyone if not data["sequences"][index]]
    ids = [parts(answer)[0] for answer in answers]
    evidence(
        empty=[kind_of_ids(ids[index], []) for index in empty],
        labels=[labelled(answer, data) for answer in answers],
    )
    for index in empty:
        expect("item" in answers[index], "A sequence without tokens raised {error}.", error=error_of(answers[index]))
        expect_int64(
            ids[index],
            "A sequence without tokens came with dtype {dtype}: an empty list says nothing about "
            "what would be in it, so name torch.int64.",
        )
        expect(
            tuple(ids[index].shape) == (0,),
            "A sequence without tokens came as a tensor of shape {shape}; it must be (0,).",
            shape=str(tuple(ids[index].shape)),
        )
    for index in everyone:
        expect(
            labelled(answers[index], data) == index,
            "With sequences without tokens among the others, sample {index} did not come with its label, {label}.",
            index=index,
            label=data["labels"][index],
        )


def test_negative_indices(learner, rng, evidence):
    """-1 is the last sample, and -N the first"""
    data = draw(rng)
    count = len(data["labels"])
    indices = [-1, -count, *rng.sample(range(-count, 0), count)]
    answers = learner.read(indices=indices, **data)
    evidence(samples=[told(answer, data) for answer in answers])
    for index, answer in zip(indices, answers, strict=True):
        expect(
            told(answer, data) == index + count,
            "In a dataset of {count} samples `ds[{index}]` is sample {right}, counted from the end; yours gave {told}.",
            count=count,
            index=index,
            right=index + count,
            told=str(told(answer, data)),
        )


def test_outside(learner, rng, evidence):
    """An index outside the dataset raises IndexError"""
    data = draw(rng)
    count = len(data["labels"])
    far = rng.randint(100, 200)
    indices = [count, count + 1, far, -count - 1, -count - 2, -far]
    answers = learner.read(indices=indices, **data)
    given = {index: "item" in answer for index, answer in zip(indices, answers, strict=True)}
    evidence(above=outcome_of(answers[:3]), below=outcome_of(answers[3:]))
    for index, answer in zip(indices, answers, strict=True):
        expect(
            not given[index],
            "`ds[{index}]` of {count} samples gave an item; it must raise IndexError. A plain loop over a dataset asks "
            "for one index after the other until that error comes.",
            index=index,
            count=count,
        )
        expect(
            "IndexError" in answer["raised"],
            "`ds[{index}]` of {count} samples raised {error}; it must be IndexError.",
            index=index,
            count=count,
            error=error_of(answer),
        )


def test_iterates(learner, rng, evidence):
    """A plain loop gives every sample once and ends"""
    data = draw(rng)
    count = len(data["labels"])
    most = 3 * sum(map(len, data["sequences"]))
    samples = [told(answer, data) for answer in learner.iterated(most=most, **data)]
    evidence(samples="without end" if len(samples) == most else samples)
    expect(
        len(samples) < most,
        "A loop over {count} samples was still going on after {most}. It ends when an index outside the dataset raises "
        "IndexError.",
        count=count,
        most=most,
    )
    expect(
        samples == list(range(count)),
        "A loop over {count} samples must give 0, 1, 2, ... up to {last}; yours gave {samples}.",
        count=count,
        last=count - 1,
        samples=str(samples),
    )


def test_unequal_numbers(learner, rng, evidence):
    """As many labels as sequences, else ValueError"""
    data = draw(rng)
    sequences, labels = data["sequences"], data["labels"]
    fewer, more = labels[: -rng.randint(1, 3)], [*labels, *labels[: rng.randint(1, 3)]]
    pairs = [(sequences, fewer), (sequences, more), (sequences, []), (sequences, labels)]
    errors = learner.made(pairs=pairs)
    evidence(errors=["ValueError" if "ValueError" in names else names[:1] for names in errors])
    for (_, given), names in zip(pairs[:-1], errors, strict=False):
        expect(
            bool(names),
            "{sequences} sequences with {labels} labels made a dataset. Raise ValueError as it is made.",
            sequences=len(sequences),
            labels=len(given),
        )
        expect(
            "ValueError" in names,
            "{sequences} sequences with {labels} labels raised another error than ValueError.",
            sequences=len(sequences),
            labels=len(given),
        )
    expect(not errors[-1], "As many labels as sequences, and yet it raised {error}.", error=str(errors[-1][:1]))


def test_items_own_their_memory(learner, rng, evidence):
    """Writing into an item changes neither the dataset nor another item"""
    data = draw(rng, lengths=[rng.randint(3, 6)] * 5)  # padding would change nothing
    index, other = rng.sample(range(len(data["labels"])), 2)
    got = learner.written(index=index, other=other, value=-7, **data)
    right = {"after_reading": [index], "held": [index, other], "anew": [index, other]}
    left = {when: [told(answer, data) for answer in got[when]] for when in right}
    came = told(got["came"], data)
    evidence(shared=left != right if came == index else [came, left])
    expect_sample(got["came"], index, data)
    expect(
        left["after_reading"] == right["after_reading"],
        "Reading another item changed one that was read before: all of them are written into the same memory.",
    )
    expect(
        left["held"] == right["held"],
        "After writing into one item, another one that had been read before was changed too: they share memory.",
    )
    expect(
        left["anew"] == right["anew"],
        "After writing into an item, the dataset gave changed ids when asked again: the item was the dataset's own "
        "memory. Make a new tensor for each item.",
    )


def test_leaves_everything_else_alone(learner, reference, rng, evidence):
    """The lists and the random streams stay as they were"""
    data = draw(rng, lengths=[3, 0, 5, 2])
    seed = rng.randrange(2**31)
    got = learner.surroundings(global_seed=seed, **data)
    expected = reference.surroundings(global_seed=seed, **data)
    evidence(lists=got["sequences"] == data["sequences"], labels=got["labels"] == data["labels"])
    expect_close(
        [got["sequences"], got["labels"]],
        [data["sequences"], data["labels"]],
        "The lists of sequences or labels were changed. Whoever handed them over still needs them.",
    )
    expect_close(
        got["streams"],
        expected["streams"],
        "The global random streams are not where they were: something drew from them or seeded them.",
    )


def outcome_of(answers):
    """Whether indices outside gave an item anywhere, or else IndexError everywhere."""
    if any("item" in answer for answer in answers):
        return "an item"
    return all("IndexError" in answer["raised"] for answer in answers)


# --- what came ---------------------------------------------------------------------------------------------------------


def form_of(item):
    """An item in words."""
    if isinstance(item, list):
        kinds = ["ids" if many(part) else "label" if single(part) else type_of(part) for part in item]
        return ", ".join(kinds) or "nothing"
    return type_of(item)


def many(part):
    """Whether this can only be ids: a tensor or list of some."""
    return isinstance(part, list) or (isinstance(part, torch.Tensor) and part.dim() > 0)


def single(part):
    return isinstance(part, int) or (isinstance(part, torch.Tensor) and part.dim() == 0)


def parts(answer):
    """The ids and the label of an item, also of one that came turned round."""
    item = answer.get("item")
    if not isinstance(item, list) or len(item) != 2:
        return None, None
    return (item[1], item[0]) if many(item[1]) and not many(item[0]) else (item[0], item[1])


def plain(part):
    """Ids as a list of numbers, a label as a number: floats of the same value count as the same."""
    return part.tolist() if isinstance(part, torch.Tensor) else part


def told(answer, data):
    """Which sample an answer is; "another item", or the error that came instead."""
    if "item" not in answer:
        return error_of(answer)
    ids, label = map(plain, parts(answer))
    for index, (sequence, right) in enumerate(zip(data["sequences"], data["labels"], strict=True)):
        if ids == sequence and label == right:
            return index
    return "another item"


def labelled(answer, data):
    """Which sample the label of an answer belongs to."""
    if "item" not in answer:
        return error_of(answer)
    label = plain(parts(answer)[1])
    return data["labels"].index(label) if label in data["labels"] else "another label"


def error_of(answer):
    return next(iter(answer.get("raised", [])), "nothing")


def type_of(part):
    return getattr(part, "type_name", type(part).__name__)


def kind_of_ids(part, sequence):
    """What is wrong with ids: that they are floats, or what they are."""
    if not isinstance(part, torch.Tensor):
        return type_of(part)
    if part.is_floating_point():
        return "float"
    return [str(part.dtype), list(part.shape), part.tolist() == sequence]


def expect_int64(part, template):
    expect(isinstance(part, torch.Tensor), "The ids must be a tensor; yours are a {kind}.", kind=type_of(part))
    expect(part.dtype == torch.int64, template, dtype=str(part.dtype))


def expect_sample(answer, index, data):
    got = told(answer, data)
    expect(
        got == index,
        "`ds[{index}]` must be the ids {ids} and the label {label}; yours gave {got}.",
        index=index,
        ids=str(data["sequences"][index]),
        label=data["labels"][index],
        got=str(answer.get("item", got)),
    )
