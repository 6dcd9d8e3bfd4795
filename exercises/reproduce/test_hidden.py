"""Where the streams of Python, numpy and torch are after seeding and after going back to snapshots.

What a solution draws is its own affair: it may derive the three seeds as it likes. So places in the streams are compared
with one another, exactly, and never with numbers of the reference. By chance two places agree with a probability far
below 1e-12.
"""

from judge.kit import expect

STREAMS = ("python", "numpy", "torch")
SAID = {"python": "`random`", "numpy": "`numpy.random`", "torch": "`torch`"}


def seed_and_noise(rng):
    return {"seed": rng.randrange(1000, 2**31), "noise": rng.randrange(2**20, 2**30)}


def named(streams):
    """Some streams as they stand in a message."""
    return ", ".join(SAID[stream] for stream in streams)


def labels(there, **places):
    """For each stream the name of the first of `places` that it is at."""
    found = {}
    for stream in STREAMS:
        at = [name for name, some in places.items() if any(there[stream] == place[stream] for place in some)]
        found[stream] = at[0] if at else "elsewhere"
    return found


def repeats(streams):
    """Which of the streams of some seeds, the first of them 0, are one and the same."""
    if len(set(streams)) == len(streams):
        return "none"
    if len(set(streams)) == 1:
        return "all"
    # Who takes 0 for no seed at all has not cut the others.
    return "some" if len(set(streams[1:])) < len(streams) - 1 else "zero's"


def summary(found, strange):
    """What tells mistakes apart: a stream that begins anew says enough, and so does a snapshot that goes on drawing."""
    if strange and "stayed" in found.values():
        return {"live": True}
    return {"begins_anew": True} if "start" in found.values() else found


def test_one_seed_one_stream(learner, rng, evidence):
    """After the same seed each of the three streams is the same again"""
    given = seed_and_noise(rng)
    one, again, zero, zero_again = learner.seeded(seeds=[given["seed"]] * 2 + [0, 0], noise=given["noise"])
    other = [stream for stream in STREAMS if one[stream] != again[stream]]
    other_zero = [stream for stream in STREAMS if zero[stream] != zero_again[stream]]
    evidence(other=other, other_zero=other_zero)
    expect(
        not other,
        "Seeded twice with the same number, these streams were not the same: {streams}. Each of the three libraries has "
        "a stream of its own and knows nothing of the others' seeds.",
        streams=named(other),
    )
    expect(not other_zero, "Seeded with 0, these streams did not repeat: {streams}.", streams=named(other_zero))


def test_same_in_another_process(learner, rng, evidence):
    """Another process that is seeded with the same number draws the same"""
    given = seed_and_noise(rng)
    (one,) = learner.seeded(seeds=[given["seed"]], noise=given["noise"], process=1)
    learner.restart()
    (another,) = learner.seeded(seeds=[given["seed"]], noise=given["noise"] + 1, process=2)
    other = [stream for stream in STREAMS if one[stream] != another[stream]]
    evidence(other=other)
    expect(
        not other,
        "Two processes were seeded with the same number, and these streams were not the same: {streams}. The seed must "
        "decide alone: not the clock, not the process, and not the `hash` of a text, which is another in each process.",
        streams=named(other),
    )


def test_other_seeds_other_streams(learner, rng, evidence):
    """Other seeds give other streams"""
    given = seed_and_noise(rng)
    # Whoever cuts a seed, to fewer bits or digits, makes two of these the same. Not the last seed of all: many take
    # seeds modulo it.
    steps = (0, 1, 100, 1000, 2**16, 10**9, 2**31)
    seeds = sorted({0, 1, 2, 3, *(given["seed"] + step for step in steps)})
    places = learner.seeded(seeds=seeds, noise=given["noise"])
    found = {stream: repeats([tuple(place[stream]) for place in places]) for stream in STREAMS}
    same = [stream for stream in STREAMS if found[stream] != "none"]
    evidence(**({"some": True} if "some" in found.values() else found))
    expect(
        not same,
        "Different seeds gave the same stream: {streams}. Whoever runs an experiment with five seeds wants five runs.",
        streams=named(same),
    )


def test_snapshot_is_plain(learner, rng, evidence):
    """A snapshot is a dict of plain data and tensors"""
    got = learner.snapshot(**seed_and_noise(rng))
    evidence(dict=got["dict"], strange=bool(got["strange"]))
    expect(got["dict"] is True, "`rng_state` returned {type}; it must be a dict.", type=got["type"])
    expect(
        not got["strange"],
        "In the snapshot there is something that is neither plain data nor a tensor: {types}. A checkpoint with it does "
        "not load safely. Turn an array into a list (`.tolist()`) or a tensor; an object that draws is no snapshot.",
        types=", ".join(map(str, got["strange"])),
    )


def test_goes_back(learner, rng, evidence):
    """set_rng_state brings all three streams back to the snapshot"""
    got = learner.back(**seed_and_noise(rng), spares=False)
    # A stream that taking the snapshot has moved is another check's business.
    found = labels(got["there"], back=[got["before"], got["after"]], stayed=[got["later"]], start=[got["start"]])
    evidence(**summary(found, got["strange"]))
    anew, stayed = ([stream for stream in STREAMS if found[stream] == name] for name in ("start", "stayed"))
    expect(
        not anew,
        "These streams are at their beginning, as after seeding: {streams}. The snapshot was taken later, after some "
        "numbers had been drawn; a seed does not say where in its stream one was.",
        streams=named(anew),
    )
    expect(
        not stayed, "These streams stayed where they were: {streams}. All three have to go back.", streams=named(stayed)
    )
    elsewhere = [stream for stream in STREAMS if found[stream] != "back"]
    expect(
        not elsewhere,
        "These streams are neither where the snapshot was taken nor where they were before going back: {streams}.",
        streams=named(elsewhere),
    )


def test_keeps_the_spare_normal_number(learner, rng, evidence):
    """A snapshot between two normal numbers is exact too"""
    got = learner.back(**seed_and_noise(rng), spares=True)
    found = labels(got["there"], back=[got["before"], got["after"]], stayed=[got["later"]], start=[got["start"]])
    other = [stream for stream in STREAMS if found[stream] != "back"]
    # A place begins with a uniform number, which is right where only the normal number was lost.
    lost = other and all(got["there"][stream][0] == got["before"][stream][0] for stream in other)
    evidence(**({"lost": True} if lost else summary(found, got["strange"])))
    expect(
        not other,
        "Before the snapshot one normal number was drawn. Such numbers are made in pairs, and the second one waits in "
        "the state. After going back these streams give other numbers: {streams}.",
        streams=named(other),
    )


def test_goes_back_any_number_of_times(learner, rng, evidence):
    """Older snapshots still hold, after other snapshots, after other seeds and again and again"""
    given = seed_and_noise(rng)
    order = [0, 1, 0, 0, 1]
    got = learner.back_and_forth(seeds=[given["seed"], given["seed"] + 7], noise=given["noise"], order=order)
    first, second = ([place["before"], place["after"]] for place in got["places"])
    starts = [place["start"] for place in got["places"]]
    found = [
        labels(there, first=first, second=second, start=starts, stayed=[left])
        for there, left in zip(got["theres"], got["lefts"], strict=True)
    ]
    wanted = ["second" if which else "first" for which in order]
    overwritten = got["changed"] or any(
        label == "first" and "second" in some.values() for label, some in zip(wanted, found, strict=True)
    )
    anew = any("start" in some.values() for some in found)
    right = [all(at == label for at in some.values()) for label, some in zip(wanted, found, strict=True)]
    live = got["strange"] and not all(right)
    if overwritten or anew or live:
        evidence(overwritten=overwritten, anew=anew and not overwritten, live=live and not anew and not overwritten)
    else:
        evidence(found=found)
    expect(
        not overwritten,
        "Two snapshots were taken, and the second one took the place of the first. A snapshot must keep what it has "
        "noted, whatever happens afterwards: hand out a new dict with copies each time.",
    )
    expect(
        all(right),
        "Two snapshots were taken, the second after another seed. Going back to one or the other, five times in all, "
        "was right {right} times.",
        right=sum(right),
    )


def test_taking_a_snapshot_draws_nothing(learner, rng, evidence):
    """Taking a snapshot moves no stream"""
    got = learner.undisturbed(**seed_and_noise(rng))
    moved = [stream for stream in STREAMS if got["before"][stream] != got["after"][stream]]
    evidence(moved=bool(moved))
    expect(
        not moved,
        "After `rng_state` these streams are at another place than before: {streams}. A run that takes snapshots would "
        "not be the run that takes none.",
        streams=named(moved),
    )


def test_snapshot_is_not_used_up(learner, rng, evidence):
    """Going back to a snapshot leaves the snapshot as it is"""
    got = learner.untouched(**seed_and_noise(rng))
    changed = got["before"] != got["after"]
    evidence(changed=changed)
    expect(not changed, "`set_rng_state` has changed the snapshot; the next one who goes back to it needs it whole.")


def test_goes_back_in_another_process(learner, rng, evidence):
    """A snapshot that was written to a file leads another process to the same place"""
    given = seed_and_noise(rng)
    left = learner.left(**given)
    learner.restart()
    taken = {"there": None, "error": "", "later": left["after"]}
    if isinstance(left["state"], bytes):
        taken = learner.taken_up(state=left["state"], noise=given["noise"] + 1)
    found = dict.fromkeys(STREAMS, "elsewhere")
    if taken["there"] is not None:
        found = labels(taken["there"], back=[left["before"], left["after"]], stayed=[taken["later"]])
    lost = "elsewhere" in found.values() or left["strange"]
    evidence(**({"lost": True} if lost else found))
    expect(
        not taken["error"],
        "A snapshot was written to a file; in a new process `set_rng_state` raised {error}. Everything that is needed "
        "to go back must be in the dict, nothing in variables of the program.",
        error=taken["error"],
    )
    other = [stream for stream in STREAMS if found[stream] != "back"]
    expect(
        not other,
        "A snapshot was written to a file; in a new process it did not lead these streams to where it was taken: "
        "{streams}.",
        streams=named(other),
    )
