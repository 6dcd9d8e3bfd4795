"""What `gradient_norms`, `choose_threshold`, `clipped_share` and `spikes` must do.

Most checks of `gradient_norms` use a tape: a linear model in which every batch has weights of its own, whose gradient
does not depend on any weight. So every right norm is known, and where the weights end tells what was applied. By these,
a mistake has the same name however a program makes it (`habit`): a clipping threshold is a free constant. What has no
name is given as numbers. Small real networks then decide whether training is what it is without measuring.

Tolerances. Right programs differ in the order in which they add and in precision: a few parts in a million of a norm.
They leave the gradient as it is, so the weights agree to the last bits; through momentum and dropout, 2e-5 is a hundred
times what rounding does to them. Mistakes move norms by a hundredth, and weights by a thousandth and more. The norms in
lists are multiples of 1/8, which float32 holds exactly: equal stays equal in whatever precision they are compared.
"""

from __future__ import annotations

import math
import statistics

from judge.kit import close, expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}
NORMS = {"rtol": 1e-3, "atol": 1e-7}
NAN, INFINITE = float("nan"), float("inf")
PARTS = ((0, 4), (4, 6), (6, 7))  # the weights that a batch of a tape has in each parameter
NOT_NORMS = "`gradient_norms` must return a list with one number for each step."


# --- gradient_norms --------------------------------------------------------------------------------------------------


def test_norm_of_each_step(learner, rng, device, evidence):
    """Each step's norm is the length of all gradients together"""
    setup = draw_tape(rng, device)
    got = asked(evidence, learner.tape, setup=setup)
    evidence(**only(tape_facts(got, setup), "form", "steps", "added", "norms"))
    expect_norms(got, setup)


def test_nothing_is_clipped(learner, rng, device, evidence):
    """Each step moves the weights by its whole gradient, long or short"""
    setup = draw_tape(rng, device)
    got = asked(evidence, learner.tape, setup=setup)
    evidence(**only(tape_facts(got, setup), "steps", "added", "applied"))
    for batch, (gradient, visits) in enumerate(zip(setup["gradients"], visits_of(setup), strict=True), start=1):
        expect_close(
            math.hypot(*got["moved"][batch - 1]),
            visits * math.hypot(*gradient),
            "Batch {batch} came up {visits} times, its gradient is {length:.4g} long, the rate is 1. So its weights "
            "should have moved by {expected:.4g}, and they moved by {got:.4g}. Every step uses the gradient of its own "
            "batch, the whole of it: measuring changes nothing.",
            batch=batch,
            visits=visits,
            length=math.hypot(*gradient),
            **NORMS,
        )
        expect_close(
            got["moved"][batch - 1],
            [visits * part for part in gradient],
            "The step with batch {batch} did not go where its gradient points: the gradient was changed before it.",
            batch=batch,
            **NORMS,
        )


def test_as_many_steps_as_asked_for(learner, rng, device, evidence):
    """It makes num_steps steps, whether the loader ends before, after or just then; none for 0"""
    deviation = habit(learner, rng, device)
    evidence(**deviation)
    for batches in (1, rng.randint(3, 4)):
        for steps in (0, batches, 2 * batches, 2 * batches + 1):
            setup = draw_tape(rng, device, batches=batches, steps=steps)
            got = asked(evidence, learner.tape, setup=setup)
            if not deviation:
                evidence(count=count_fact(numbers(got["norms"]), setup), **tape_facts(got, setup))
            expect_norms(got, setup)
            expect_close(
                got["moved"],
                right_moves(setup),
                "{steps} steps with a loader of {batches} batches: the weights are not where these steps lead.",
                steps=steps,
                batches=batches,
                **NORMS,
            )


def test_starts_the_loader_again(learner, rng, device, evidence):
    """Whenever the loader ends it is started again, and may give its batches in another order"""
    deviation = habit(learner, rng, device)
    batches = 4
    epochs = [rng.sample(range(batches), batches) for _ in range(2)]
    while any(first == second for first, second in zip(*epochs, strict=True)):
        rng.shuffle(epochs[1])
    setup = draw_tape(rng, device, epochs=epochs, steps=4 * batches - 1)
    got = asked(evidence, learner.tape, setup=setup)
    evidence(**(deviation or {"visits": visits_fact(numbers(got["norms"]), setup)}))
    lengths = [math.hypot(*gradient) for gradient in setup["gradients"]]
    norms = expect_form(got["norms"], setup["steps"])
    for step, (norm, batch) in enumerate(zip(norms, order_of(setup), strict=True)):
        expect_close(
            norm,
            lengths[batch],
            "The loader shuffles: its second pass has another order than its first. Step {step} of {steps} (the first "
            "is 0) should have the norm {expected:.4g}; it has {got:.4g}. When the loader has ended, iterate over it "
            "anew, and do not keep its batches.",
            step=step,
            steps=setup["steps"],
            **NORMS,
        )


def test_frozen_parameters(learner, rng, device, evidence):
    """A frozen parameter has no gradient and counts for nothing"""
    deviation = habit(learner, rng, device)
    if "raised" in deviation:
        evidence(**deviation)  # it stumbles without a frozen parameter too
    setup = draw_tape(rng, device, frozen=True)
    got = asked(evidence, learner.tape, setup=setup)
    evidence(**(deviation or tape_facts(got, setup)))
    expect_norms(got, setup)


def test_a_gradient_that_is_not_finite(learner, rng, device, evidence):
    """A step whose gradient is not finite has a norm that is not finite, and the steps go on"""
    deviation = habit(learner, rng, device)
    evidence(**deviation)
    for odd in (NAN, INFINITE):
        setup = draw_tape(rng, device, steps=7)
        bad = rng.randint(2, 3)
        setup["gradients"][setup["epochs"][0][bad]][rng.randrange(7)] = odd
        got = asked(evidence, learner.tape, setup=setup)
        norms = numbers(got["norms"])
        if not deviation:
            evidence(kept=norms is not None and len(norms) == setup["steps"] and not math.isfinite(norms[bad]))
        norms = expect_form(got["norms"], setup["steps"])
        expect_close(
            norms[:bad],
            right_norms(setup)[:bad],
            "The gradient of step {bad} is not finite; the norms of the steps before it are not what they should be.",
            bad=bad,
            **NORMS,
        )
        expect(
            not math.isfinite(norms[bad]),
            "The gradient of step {bad} has an entry that is {odd}, and its norm came back as {norm:.4g}. A norm that "
            "is not finite belongs in the list as it is: it is the most important one.",
            bad=bad,
            odd=str(odd),
            norm=norms[bad],
        )


def test_a_real_run(learner, reference, rng, device, figure, evidence):
    """A small network with momentum and dropout: norms and weights are those of ordinary training"""
    setup = draw_study(rng, device)
    deviation = habit(learner, rng, device)
    got = asked(evidence, learner.study, setup=setup)
    expected = reference.study(setup=setup)
    draw_norms(figure, got)
    evidence(**(deviation or {"norms": numbers(got["norms"]), "weights": got["weights"]}))
    norms = expect_form(got["norms"], setup["steps"])
    for step, (norm, right) in enumerate(zip(norms, expected["norms"], strict=True)):
        expect_close(
            norm,
            right,
            "A network with dropout, {steps} steps of SGD with momentum. The norms agree up to step {step}, where the "
            "gradient is {expected:.4g} long; what came back is {got:.4g}. Each step takes one forward pass in "
            "training mode, the gradient of its batch alone, and one step.",
            steps=setup["steps"],
            step=step,
            **CLOSE,
        )
    expect_close(
        got["weights"],
        expected["weights"],
        "The norms are right, but the weights do not end where the same training ends when nobody measures.",
        **CLOSE,
    )


def test_adam(learner, reference, rng, device, evidence):
    """With Adam too the weights end where training without measuring ends"""
    setup = draw_training(rng, device, optimizer="adam", lr=0.02, head_lr=0.03)
    deviation = habit(learner, rng, device)
    got = asked(evidence, learner.train, setup=setup)
    expected = reference.train(setup=setup)
    evidence(**(deviation or {"norms": numbers(got["norms"]), "weights": got["weights"]}))
    expect_close(
        [numbers(got["norms"]), got["weights"]],
        [expected["norms"], expected["weights"]],
        "With Adam, {steps} steps, the norms or the weights are not those of ordinary training.",
        steps=setup["steps"],
        **CLOSE,
    )


def test_any_loader_and_loss(learner, reference, rng, device, evidence):
    """Any iterable of batches and any callable as loss will do; a list of floats comes back"""
    setup = draw_training(rng, device)
    deviation = habit(learner, rng, device)
    got = asked(evidence, learner.train_plainly, setup=setup)
    expected = reference.train_plainly(setup=setup)
    plain = got["kind"] == "list of float"
    evidence(**(deviation or {"plain": plain, "norms": numbers(got["norms"]), "weights": got["weights"]}))
    expect_close(
        [numbers(got["norms"]), got["weights"]],
        [expected["norms"], expected["weights"]],
        "With a loader that can only be iterated (no length, batches as lists), a loss that is an ordinary function "
        "and all arguments by name, the norms or the weights are other ones.",
        **CLOSE,
    )
    expect(
        plain,
        "`gradient_norms` returned a {kind}. The norms must come back as a list of Python floats: `.item()` makes one "
        "of a tensor with one element.",
        kind=got["kind"],
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Called again it goes on; batches, settings and random streams are left as they were"""
    setup = draw_training(rng, device, dropout=0.0)
    deviation = habit(learner, rng, device)
    got = asked(evidence, learner.train_twice, setup=setup)
    expected = reference.train_twice(setup=setup)
    got["norms"] = [numbers(norms) for norms in got["norms"]]
    evidence(**(deviation or {name: close(got[name], expected[name], **CLOSE) for name in expected}))
    expect_close(
        got["batches"], expected["batches"], "A batch was changed in place; the next pass would see it changed."
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
    expect_close(
        [got["norms"], got["weights"]],
        [expected["norms"], expected["weights"]],
        "Called a second time with the same model and optimizer, `gradient_norms` should train on and return the "
        "norms of the new steps. What it returned, or the weights, are other ones: did the first call leave something "
        "behind?",
        **CLOSE,
    )


# --- choose_threshold ------------------------------------------------------------------------------------------------


def test_threshold(learner, rng, evidence):
    """The threshold is factor times the median of the second half"""
    cases = draw_runs(rng)
    answers = [number(answer) for answer in thresholds(learner, cases)]
    evidence(**threshold_facts(answers, cases))
    for (norms, factor), answer in zip(cases, answers, strict=True):
        expect_close(
            answer,
            right_threshold(norms, factor),
            "Of the {count} norms [{norms}] the second half begins at index {half}. Times {factor}, its median gives "
            "{expected:.6g}; `choose_threshold` says {got}. The median is the middle one in order of size, or the mean "
            "of the middle two.",
            count=len(norms),
            norms=listed(norms),
            half=len(norms) // 2,
            factor=factor,
        )


def test_threshold_leaves_out_what_is_not_finite(learner, rng, evidence):
    """NaN and infinities are left out of the median, and the half is that of the whole list"""
    deviation = threshold_habit(learner, rng)
    drawn = draw_broken_runs(rng)
    answers = {name: [number(answer) for answer in thresholds(learner, cases)] for name, cases in drawn.items()}
    evidence(**(deviation or broken_facts(answers, drawn)))
    for name, cases in drawn.items():
        for (norms, factor), answer in zip(cases, answers[name], strict=True):
            expect_close(
                answer,
                right_threshold(norms, factor),
                "Take the {count} norms [{norms}] from index {half} on, leave out those that are not finite, and the "
                "median times {factor} is {expected:.6g}. `choose_threshold` says {got}.",
                count=len(norms),
                norms=listed(norms),
                half=len(norms) // 2,
                factor=factor,
            )


def test_no_threshold(learner, rng, evidence):
    """No finite norm in the second half: ValueError"""
    runs = [
        [],
        [NAN],
        [eighth(rng, 8, 40), INFINITE],
        [*(eighth(rng, 8, 40) for _ in range(3)), NAN, INFINITE, NAN],
        [*(eighth(rng, 8, 40) for _ in range(4)), NAN, NAN, NAN, INFINITE, INFINITE],
    ]
    answers = thresholds(learner, [(norms, 2.0) for norms in runs])
    refused = ["ValueError" in raised(answer) for answer in answers]
    evidence(**(threshold_habit(learner, rng) or broken_habit(learner, rng) or {"refused": all(refused)}))
    for norms, ok, answer in zip(runs, refused, answers, strict=True):
        expect(
            ok,
            "There is no finite norm in the second half of [{norms}], so there is nothing to choose a threshold by: "
            "raise ValueError. `choose_threshold` says {got}.",
            norms=listed(norms),
            got=said(answer),
        )


# --- clipped_share ---------------------------------------------------------------------------------------------------


def test_clipped_share(learner, rng, evidence):
    """The share of norms above the threshold or not finite; an equal one is not clipped, and none of nothing is"""
    threshold = eighth(rng, 16, 32)
    below, above = eighth(rng, 4, 15), threshold + eighth(rng, 1, 40)
    cases = {
        "plain": [
            [below] * rng.randint(1, 4) + [above] * rng.randint(5, 9),
            [below],
            [above, above],
            [above, below, above],
        ],
        "equal": [[below, threshold, threshold, above], [threshold]],
        "odd": [[below, NAN, above, below, INFINITE], [NAN, below], [INFINITE, below, below], [NAN, INFINITE]],
        "empty": [[]],
    }
    answers = {
        name: [
            number(answer)
            for answer in ask(learner, "clipped_share", [call([list(norms), threshold]) for norms in lists])
        ]
        for name, lists in cases.items()
    }
    right = {name: close(answers[name], [right_share(norms, threshold) for norms in cases[name]]) for name in cases}
    if not right["plain"]:
        evidence(plain=answers["plain"])
    elif not right["equal"]:
        evidence(equal=False)
    else:
        evidence(**(right | ({} if right["odd"] else {"odd": answers["odd"]})))
    messages = {
        "plain": (
            "With the threshold {threshold} the share of [{norms}] is {expected:.4g}; `clipped_share` says {got}. "
            "Count the norms that are larger and divide by all."
        ),
        "equal": (
            "With the threshold {threshold} the share of [{norms}] is {expected:.4g}; `clipped_share` says {got}. A "
            "norm that is equal to the threshold is not clipped: clipping would change nothing."
        ),
        "odd": (
            "With the threshold {threshold} the share of [{norms}] is {expected:.4g}; `clipped_share` says {got}. A "
            "norm that is not finite counts as clipped, and every comparison with NaN is False."
        ),
        "empty": "Without any steps the share is 0.0; `clipped_share` says {got}.",
    }
    for name, lists in cases.items():
        for norms, answer in zip(lists, answers[name], strict=True):
            expect_close(
                answer, right_share(norms, threshold), messages[name], threshold=threshold, norms=listed(norms)
            )


# --- spikes ----------------------------------------------------------------------------------------------------------


def test_spikes(learner, rng, evidence):
    """A spike is more than ratio times the median of the window just before it"""
    cases = draw_curves(rng)
    answers = [steps_of(answer) for answer in found_spikes(learner, cases)]
    evidence(**spikes_facts(answers, cases))
    expect_spikes(
        answers,
        cases,
        "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
        "{got}. Step i is compared with the median of the norms i-{window} to i-1, without itself.",
    )


def test_first_and_equal_steps(learner, rng, evidence):
    """Spikes begin at step `window`; a norm that is just ratio times the median is none"""
    deviation = spikes_habit(learner, rng)
    evidence(**deviation)
    messages = {
        "first": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. Only from step {window} on is there a whole window before a step."
        ),
        "equal": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. A norm of just ratio times the median does not exceed it."
        ),
        "short": (
            "[{norms}] is not longer than the window of {window}, so no step has a whole window before it and there is "
            "no spike; `spikes` says {got}."
        ),
    }
    for name, cases in draw_edges(rng).items():
        answers = [steps_of(answer) for answer in found_spikes(learner, cases)]
        if not deviation:
            early = any(isinstance(answer, list) and answer and answer[0] < window
                        for answer, (_, window, _) in zip(answers, cases, strict=True))  # fmt: skip
            evidence(**{name: "early" if early else close(answers, [right_spikes(*case) for case in cases])})
        expect_spikes(answers, cases, messages[name])


def test_spikes_that_are_not_finite(learner, rng, evidence):
    """NaN and infinities are spikes, and are left out of the medians of later ones"""
    deviation = spikes_habit(learner, rng)
    facts = {}
    all_answers = {}
    drawn = draw_broken_curves(rng)
    for name, cases in drawn.items():
        all_answers[name] = [steps_of(answer) for answer in found_spikes(learner, cases)]
        facts[name] = close(all_answers[name], [right_spikes(*case) for case in cases])
    asked_of = [pair for name in drawn for pair in zip(all_answers[name], drawn[name], strict=True)]
    if any(starts_early(answer, window) for answer, (_, window, _) in asked_of):
        facts = {"early": True}
    elif any(all_answers["nan"] == [right_spikes(*case, **way) for case in drawn["nan"]] for way in WAYS_WITH_NAN):
        facts = {"nan": False}  # what infinities do to that median too is no other mistake
    evidence(**(deviation or facts))
    messages = {
        "itself": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. From step {window} on, a norm that is not finite is a spike."
        ),
        "nan": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. NaN is left out of the median; the others in the window decide."
        ),
        "infinite": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. Infinities are left out of the median; the others in the window decide."
        ),
        "hollow": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. After a window with nothing finite in it, no finite norm is a spike."
        ),
        "hollow itself": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. A norm that is not finite is a spike from step {window} on, whatever stands before it."
        ),
        "hollow later": (
            "In [{norms}] with window={window} and ratio={ratio}, the spikes are the steps [{expected}]; `spikes` says "
            "{got}. The window is what stands just before; where nothing in it is finite, what came earlier does not "
            "count."
        ),
    }
    for name, cases in drawn.items():
        expect_spikes(all_answers[name], cases, messages[name])


def test_answers_are_plain_numbers(learner, rng, evidence):
    """Threshold and share are Python floats, spikes a list of Python ints"""
    run, factor = draw_runs(rng)[0]
    window, ratio = rng.choice([3, 5]), rng.choice([2.0, 2.5, 3.0])
    norms = [1.0] * (window + 3) + [9.0]
    kinds = {
        "choose_threshold": kinds_of(learner, "choose_threshold", [call([list(run), factor])])[0],
        "clipped_share": kinds_of(learner, "clipped_share", [call([list(run), run[-1]])])[0],
    }
    found = [call([list(norms), window, ratio]), call([[1.0] * (window + 3), window, ratio])]
    spikes_kinds = kinds_of(learner, "spikes", found)
    fine = [kind in ("float", "int") for kind in kinds.values()]
    spikes_fine = spikes_kinds[0] == "list of int" and spikes_kinds[1] == "list of nothing"
    evidence(**(threshold_habit(learner, rng) or spikes_habit(learner, rng) or {"floats": fine, "ints": spikes_fine}))
    for name, ok in zip(kinds, fine, strict=True):
        expect(ok, "`{name}` returned a {kind}. It must return a Python float.", name=name, kind=kinds[name])
    expect(
        spikes_fine,
        "`spikes` returned a {kind}, and where all norms are equal a {other}. It must return a list of Python ints, "
        "the numbers of the steps; an empty list where there is no spike.",
        kind=spikes_kinds[0],
        other=spikes_kinds[1],
    )


# --- all three -------------------------------------------------------------------------------------------------------


def test_defaults_and_names(learner, rng, evidence):
    """factor is 1.5, window 20 and ratio 3.0 unless given; arguments may be named"""
    deviation = threshold_habit(learner, rng) or spikes_habit(learner, rng)
    run, factor = max(draw_runs(rng), key=lambda case: len(case[0]))
    long = [1.0] * 19 + [4.0] + [3.125, 2.875, 1.0, 3.125]
    short, window, ratio = draw_curves(rng)[-1]
    share = [1.0, 2.0, 3.0, 4.0]
    plan = {
        "factor": ("choose_threshold", call([list(run)]), right_threshold(run, 1.5)),
        "named factor": ("choose_threshold", call(norms=list(run), factor=factor), right_threshold(run, factor)),
        "named share": ("clipped_share", call(norms=share, threshold=2.5), 0.5),
        "window and ratio": ("spikes", call([list(long)]), right_spikes(long, 20, 3.0)),
        "named spikes": (
            "spikes",
            call(norms=list(short), window=window, ratio=ratio),
            right_spikes(short, window, ratio),
        ),
    }
    messages = {
        "factor": "Without `factor`, `choose_threshold` must take 1.5: here that gives {expected:.6g}. It says {got}.",
        "named factor": (
            "Called with `norms=` and `factor=`, `choose_threshold` should say {expected:.6g}; it says {got}."
        ),
        "named share": (
            "Called with `norms=` and `threshold=`, `clipped_share` should say {expected:.6g}; it says {got}."
        ),
        "window and ratio": (
            "Without `window` and `ratio`, `spikes` must take 20 and 3.0; then the spikes of this list are the steps "
            "{expected}. It says {got}."
        ),
        "named spikes": (
            "Called with `norms=`, `window=` and `ratio=`, `spikes` should say {expected}; it says {got}."
        ),
    }
    answers = {name: shown_answer(ask(learner, function, [asked])[0]) for name, (function, asked, _) in plan.items()}
    fine = {name: close(answers[name], right) for name, (_, _, right) in plan.items()}
    unnamed = [fine.pop("factor"), fine.pop("window and ratio")]  # other defaults may be any
    evidence(**(deviation or {"unnamed": all(unnamed), **fine}))
    for name, (_, _, right) in plan.items():
        expect(
            close(answers[name], right),
            messages[name],
            got=said(answers[name]),
            expected=said(right) if isinstance(right, list) else right,
        )


def test_leaves_the_norms_alone(learner, rng, evidence):
    """The list of norms stays as it was"""
    norms = [eighth(rng, 8, 60) for _ in range(8)] + [NAN, eighth(rng, 8, 60), eighth(rng, 8, 60)]
    names = ("choose_threshold", "clipped_share", "spikes")
    more = ([2.0], [3.0], [4, 2.5])
    kept = []
    for name, arguments in zip(names, more, strict=True):
        got = learner.ask(name=name, calls=[call([list(norms), *arguments])])
        kept.append(close(got["calls"][0]["by_position"][0], norms, equal_nan=True))
    evidence(kept=kept)
    for name, ok in zip(names, kept, strict=True):
        expect(ok, "`{name}` changed the list that it was given. Whoever handed it over still needs it.", name=name)


# --- what is drawn ---------------------------------------------------------------------------------------------------


def draw_tape(rng, device, batches=5, steps=None, epochs=None, **wanted):
    """Gradients of lengths from a hundredth to a hundred thousand; their parts in the three parameters differ."""
    if epochs is None:
        epochs = [rng.sample(range(batches), batches)]
    batches = len(epochs[0])
    powers = rng.sample([-2.0, -1.0, 0.7, 1.5, 3.0, 5.0], batches)
    leading = [batch % 3 for batch in range(batches)]  # which parameter has the longest part
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "gradients": [draw_gradient(rng, 10**power, lead) for power, lead in zip(powers, leading, strict=True)],
        "epochs": epochs,
        "steps": batches + rng.randint(2, 3) if steps is None else steps,
        **wanted,
    }


def draw_gradient(rng, length, leading):
    parts = []
    for index, (start, end) in enumerate(PARTS):
        part = [rng.uniform(0.4, 1.0) * rng.choice((-1, 1)) for _ in range(end - start)]
        wanted = rng.uniform(1.4, 1.8) if index == leading else rng.uniform(0.6, 1.0)
        parts += [wanted * entry / math.hypot(*part) for entry in part]
    return [length * rng.uniform(0.9, 1.1) * entry / math.hypot(*parts) for entry in parts]


def draw_training(rng, device, **wanted):
    """A small network, some batches of much larger targets than others, steps that end within a pass."""
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "sizes": [rng.randint(3, 7) for _ in range(4)],
        "scales": rng.choice([[0.5, 4.0, 1.0, 2.0], [3.0, 0.5, 2.0, 6.0]]),
        "steps": rng.choice((9, 10, 11)),
        "hidden": rng.randint(4, 6),
        "dropout": rng.uniform(0.2, 0.4),
        "optimizer": "sgd",
        "lr": rng.uniform(0.02, 0.03),
        "head_lr": rng.uniform(0.03, 0.05),
        "momentum": rng.uniform(0.6, 0.8),
        "weight_decay": rng.uniform(0.02, 0.05),
        **wanted,
    }


def draw_study(rng, device):
    """A run long enough to look at: restless at first, then settled, with a wild batch in each pass."""
    scales = [1.0] * 25
    scales[rng.randint(8, 22)] = rng.uniform(5.0, 7.0)
    return draw_training(
        rng,
        device,
        sizes=[rng.randint(24, 32)] * 25,
        scales=scales,
        steps=60 + rng.randint(2, 9),
        hidden=8,
        dropout=0.1,
        lr=0.015,
        head_lr=0.02,
        momentum=0.5,
    )


def eighth(rng, low, high):
    return rng.randint(low, high) / 8


def draw_runs(rng):
    """[norms, factor] of odd and even length, larger at first. Every other way of choosing gives another number."""
    cases = []
    for count in rng.sample([9, 10, 11, 12], 4):
        while True:
            first = [eighth(rng, 80, 160) for _ in range(count // 2)]
            run = first + [value / 8 for value in rng.sample(range(8, 48), count - count // 2)]
            ways = [
                statistics.mean(run[count // 2 :]),
                statistics.median(run),
                statistics.median(run[: count // 2]),
                statistics.median(run[count // 2 - 1 :]),
                statistics.median(run[count // 2 + 1 :]),
            ]
            if all(abs(statistics.median(run[count // 2 :]) - way) > 0.05 for way in ways):
                break
        cases.append((run, rng.choice([1.25, 1.75, 2.0, 2.5, 3.0])))
    return cases


def draw_broken_runs(rng):
    """Runs with NaN or infinities in one half, which a median of everything would notice."""

    def rising(count):
        return sorted(value / 8 for value in rng.sample(range(8, 48), count))

    def calm(count):
        return [eighth(rng, 80, 160) for _ in range(count)]

    factor = rng.choice([1.25, 1.75, 2.5])
    one, two, three = rising(4), rising(4), rising(5)
    return {
        "nan": [
            ([*calm(5), *one[:2], NAN, *one[2:]], factor),
            ([*calm(5), NAN, *two], factor),
            ([*calm(6), *three[3:], NAN, *three[:3]], factor),
        ],
        "infinite": [
            ([*calm(4), *rising(2), INFINITE, *rising(1)], factor),
            ([*calm(5), INFINITE, *rising(4)], factor),
        ],
        "first half": [([*calm(1), NAN, INFINITE, NAN, NAN, *rising(5)], factor)],
    }


def draw_curves(rng):
    """[norms, window, ratio] with a few spikes, such that every other window or middle finds other ones.

    No norm is just as large as its limit: that is for a check of its own.
    """
    while True:
        cases = [draw_curve(rng, window) for window in (rng.choice([3, 5]), rng.choice([2, 4]), 1)]
        right = [right_spikes(*case) for case in cases]
        lower = [right_spikes(norms, window, ratio * (1 - 1e-9)) for norms, window, ratio in cases]
        if (
            lower == right
            and all(right)
            and all([right_spikes(*case, **way) for case in cases] != right for way in OTHER_WAYS)
        ):
            return cases


def draw_curve(rng, window):
    norms = [eighth(rng, 8, 15) for _ in range(window + 1)]
    norms += [eighth(rng, 8, 15) * rng.choice([1, 1, 2, 3, 6]) for _ in range(16)]
    return norms, window, rng.choice([2.0, 2.5, 3.0])


def draw_edges(rng):
    window, ratio = rng.choice([3, 5]), rng.choice([2.0, 2.5, 3.0])
    low, wild = eighth(rng, 8, 12), eighth(rng, 80, 160)
    calm = [low] * window
    return {
        "first": [
            ([*calm, wild, low, low], window, ratio),
            ([*calm[1:], wild, low, low, low], window, ratio),
            ([low, wild, *calm, low, wild], window + 1, ratio),
        ],
        "equal": [([low, low, low, ratio * low, low, ratio * low + 0.125], 3, ratio)],
        "short": [([*calm[1:], wild], window, ratio), ([wild], window, ratio), ([], window, ratio)],
    }


def draw_broken_curves(rng):
    """Of 1 and 15/8 in a window of three the median is 23/16; three times that lies between 30/8 and 40/8."""
    low, high, wild = 1.0, 1.875, eighth(rng, 160, 240)
    pair = [low, high]
    rng.shuffle(pair)
    a, b = pair
    cases = {"itself": [([a, b, a, NAN, a, b, b, INFINITE], 3, 3.0), ([NAN, b, INFINITE, a, b], 3, 3.0)]}
    for name, odd in (("nan", NAN), ("infinite", INFINITE)):
        placed = [[a, odd, b], [odd, a, b], [a, b, odd]]
        cases[name] = [([*window, norm], 3, 3.0) for window in placed for norm in (5.0, 3.75)]
        cases[name] += [([a, odd, b, wild], 3, 3.0), ([a, b, a, odd, b, wild], 3, 3.0)]
    cases["hollow"] = [([NAN, INFINITE, wild], 2, 3.0)]
    cases["hollow itself"] = [
        ([odd, NAN, INFINITE, a, b, *rest], 2, 3.0) for odd in (NAN, INFINITE) for rest in ([], [NAN])
    ]
    cases["hollow later"] = [([a, b, NAN, NAN, NAN, wild, low, NAN], 3, 2.0)]
    return cases


# --- what is right ---------------------------------------------------------------------------------------------------


def order_of(setup):
    """The batch of each step."""
    order = [batch for epoch in setup["epochs"] for batch in epoch]
    return [order[step % len(order)] for step in range(setup["steps"])]


def visits_of(setup):
    order = order_of(setup)
    return [order.count(batch) for batch in range(len(setup["gradients"]))]


def right_norms(setup):
    return [math.hypot(*setup["gradients"][batch]) for batch in order_of(setup)]


def right_moves(setup):
    return [
        [visits * entry for entry in gradient]
        for gradient, visits in zip(setup["gradients"], visits_of(setup), strict=True)
    ]


def right_threshold(norms, factor, middle=statistics.median):
    return factor * middle([norm for norm in norms[len(norms) // 2 :] if math.isfinite(norm)])


def right_share(norms, threshold):
    return sum(norm > threshold or not math.isfinite(norm) for norm in norms) / len(norms) if norms else 0.0


def right_spikes(norms, window, ratio, middle=statistics.median, longer=0, later=0, kept=math.isfinite):
    """The spikes; or, with the last four arguments, what a program finds whose window or middle is another."""
    found = []
    for step in range(window, len(norms)):
        before = norms[max(0, step - window - longer + later) : step + later]
        before = [norm for norm in before if kept(norm)]
        if not math.isfinite(norms[step]) or (before and norms[step] > ratio * middle(before)):
            found.append(step)
    return found


NAMED_WAYS = {
    "": [{}],
    "one of two": [{"middle": statistics.median_low}, {"middle": statistics.median_high}],
    "with itself": [{"later": 1}, {"later": 1, "longer": 1}],
}
# The middle of a window with NaN in it: as Python sorts; as numpy sorts, NaN last; NaN itself.
WAYS_WITH_NAN = [
    {"kept": lambda norm: True, "middle": middle}
    for middle in (
        statistics.median,
        lambda norms: sorted(norms, key=lambda norm: (math.isnan(norm), norm))[len(norms) // 2],
        lambda norms: NAN if any(map(math.isnan, norms)) else statistics.median(norms),
    )
]
OTHER_WAYS = (
    *NAMED_WAYS["one of two"],
    *NAMED_WAYS["with itself"],
    {"middle": statistics.mean},
    {"later": -1},
    {"longer": 1},
    {"longer": -1},
)


def expect_form(norms, steps):
    """The norms as numbers, if there is one for each step."""
    found = numbers(norms)
    expect(found is not None, NOT_NORMS)
    expect(
        len(found) == steps,
        "{steps} steps were asked for, and {count} norms came back. Each step has its norm, and when the loader ends "
        "before, it is started again.",
        steps=steps,
        count=len(found),
    )
    return found


def expect_norms(got, setup):
    norms = expect_form(got["norms"], setup["steps"])
    for step, (norm, right) in enumerate(zip(norms, right_norms(setup), strict=True)):
        expect_close(
            norm,
            right,
            "The gradient of step {step} (the first is 0) is {expected:.6g} long; what came back is {got:.6g}. The "
            "norm of a step is the square root of the sum of all squared entries, of all parameters, after its "
            "backward.",
            step=step,
            **NORMS,
        )


def expect_spikes(answers, cases, message):
    for answer, (norms, window, ratio) in zip(answers, cases, strict=True):
        right = right_spikes(norms, window, ratio)
        expect(
            answer == right,
            message,
            norms=listed(norms),
            window=window,
            ratio=ratio,
            expected=listed(right),
            got=said(answer),
        )


# --- answers, read ---------------------------------------------------------------------------------------------------


def asked(evidence, function, **arguments):
    """The answer. Where there is none, what the program stumbled over is the evidence."""
    try:
        return function(**arguments)
    except Exception as error:
        evidence(raised=stumble(error))
        raise


def call(by_position=(), **by_name):
    return {"by_position": list(by_position), "by_name": by_name}


def ask(learner, name, calls):
    return learner.ask(name=name, calls=calls)["answers"]


def kinds_of(learner, name, calls):
    return learner.ask(name=name, calls=calls)["kinds"]


def thresholds(learner, cases):
    return ask(learner, "choose_threshold", [call([list(norms), factor]) for norms, factor in cases])


def found_spikes(learner, cases):
    return ask(learner, "spikes", [call([list(norms), window, ratio]) for norms, window, ratio in cases])


def number(answer):
    """The answer, or what was raised instead."""
    return said(answer) if raised(answer) else answer


def numbers(norms):
    """The norms as floats, or None."""
    if not isinstance(norms, (list, tuple)):
        return None
    fine = all(isinstance(norm, (int, float)) and not isinstance(norm, bool) for norm in norms)
    return [float(norm) for norm in norms] if fine else None


def steps_of(answer):
    """Spikes in order: the contract asks for none."""
    if isinstance(answer, (list, tuple)) and all(type(step) is int for step in answer):
        return sorted(answer)
    return answer


def starts_early(answer, window):
    return isinstance(answer, list) and any(type(step) is int and step < window for step in answer)


def shown_answer(answer):
    return steps_of(answer) if isinstance(answer, list) else number(answer)


def type_of(value):
    return getattr(value, "type_name", type(value).__name__)


def raised(answer):
    """The class names of the error that a call ended with; [] where it answered."""
    return answer["raised"] if isinstance(answer, dict) and isinstance(answer.get("raised"), list) else []


def said(answer):
    """An answer as it stands in a message."""
    if raised(answer):
        return f"{raised(answer)[0]}: {answer['text']}"
    if isinstance(answer, (list, tuple)) and all(isinstance(item, (int, float)) for item in answer):
        return f"[{listed(answer)}]"
    if answer is None or isinstance(answer, (bool, int, float, str)):
        return str(answer)
    return type_of(answer)


def listed(values):
    return ", ".join(f"{value:g}" for value in values)


def draw_norms(figure, got):
    """The learner's own run. Whoever has written nothing but `gradient_norms` sees it too, without a threshold."""
    norms = numbers(got["norms"])
    if not norms or not any(map(math.isfinite, norms)):
        return
    threshold, spikes = got["threshold"], got["spikes"]
    has_threshold = isinstance(threshold, float) and math.isfinite(threshold)
    has_spikes = isinstance(spikes, list) and all(type(step) is int and 0 <= step < len(norms) for step in spikes)
    figure(
        "norms",
        norms=norms,
        threshold=threshold if has_threshold else None,
        spikes=spikes if has_spikes else [],
    )


# --- what deviates, by name ------------------------------------------------------------------------------------------


def habit(learner, rng, device):
    """The first deviation that an ordinary tape shows; {} if there is none."""
    setup = draw_tape(rng, device)
    try:
        got = learner.tape(setup=setup)
    except Exception as error:
        return {"raised": stumble(error)}
    return dict(list(tape_facts(got, setup).items())[:1])


def stumble(error):
    """What a program stumbled over, by name where many programs stumble alike."""
    types, text = getattr(error, "types", [type(error).__name__]), getattr(error, "text", "")
    if any("StopIteration" in part for part in (*types, text)):
        return "the loader has ended"
    if "has no len" in text:
        return "there is no length"
    if "NoneType" in text or "empty" in text:
        return "there is no gradient"
    return [types[0], text]


def tape_facts(got, setup):
    """What a tape shows that it should not, the most telling first; {} where all is right."""
    norms = numbers(got["norms"])
    if norms is None:
        return {"form": type_of(got["norms"])}
    if len(norms) != setup["steps"]:
        return {"steps": count_fact(norms, setup)}
    applied, measured = applied_fact(got, setup), norms_fact(norms, got, setup)
    if applied == "added up" and measured == "right":
        return {"steps": "too many"}  # gradients that add up are longer, too
    if applied == "added up":
        return {"added": True}
    facts = {"norms": measured, "applied": applied}
    return {name: fact for name, fact in facts.items() if fact != "right"}


def count_fact(norms, setup):
    if norms is None:
        return "not norms"
    if len(norms) == setup["steps"]:
        return "right"
    if len(norms) > setup["steps"]:
        return "too many"
    return "one pass" if len(norms) == len(setup["epochs"][0]) else f"{len(norms)} of {setup['steps']}"


def applied_fact(got, setup):
    """What moved the weights: whole gradients, shortened ones, none, or the same again and again."""
    moved, right = got["moved"], right_moves(setup)
    if close(moved, right, **NORMS):
        return "right"
    pairs = [pair for rows in zip(moved, right, strict=True) for pair in zip(*rows, strict=True) if pair[1]]
    shares = [one / other for one, other in pairs]
    if any(not math.isfinite(share) for share in shares):
        return "not finite"
    if all(abs(share) < 1e-6 for share in shares):
        return "not at all"
    if all(-1e-9 <= share <= 1 + 1e-3 for share in shares):
        return "shortened"
    if max(shares) - min(shares) < 1e-3 * max(shares):
        return f"{shares[0]:.3g} times"
    if all(share > 1 - 1e-3 for share in shares):
        return "added up"
    return [float(f"{share:.3g}") for share in shares]


def norms_fact(norms, got, setup):
    """What was measured, by name; as it is, if it has none."""
    gradients = [setup["gradients"][batch] for batch in order_of(setup)]
    lengths = [[math.hypot(*gradient[start:end]) for start, end in PARTS] for gradient in gradients]
    right = right_norms(setup)
    names = {
        "right": right,
        "sum of norms": [sum(parts) for parts in lengths],
        "mean of norms": [sum(parts) / 4 for parts in lengths],
        "squared": [norm**2 for norm in right],
        "largest": [max(parts) for parts in lengths],
        "none": [0.0] * len(norms),
        "1-norm": [sum(map(abs, gradient)) for gradient in gradients],
        "infinity norm": [max(map(abs, gradient)) for gradient in gradients],
        **{f"parameter {index}": [parts[index] for parts in lengths] for index in range(len(PARTS))},
    }
    for name, values in names.items():
        if close(norms, values, **NORMS):
            return {"none": "before backward", "1-norm": "another", "infinity norm": "another"}.get(name, name)
    if close(norms[1:], right[:-1], **NORMS):
        return "before backward"
    totals = [sum(norm for norm, at in zip(norms, order_of(setup), strict=True) if at == batch)
              for batch in range(len(setup["gradients"]))]  # fmt: skip
    shortened = applied_fact(got, setup) == "shortened"
    if shortened and close(totals, [math.hypot(*row) for row in got["moved"]], rtol=1e-2, atol=1e-6):
        return "of what is left of the gradient"
    return [float(f"{norm:.3g}") for norm in norms]


def visits_fact(norms, setup):
    """Which batch each step had."""
    lengths = [math.hypot(*gradient) for gradient in setup["gradients"]]
    if norms is None:
        return "not norms"
    return [next((at for at, length in enumerate(lengths) if close(norm, length, **NORMS)), -1) for norm in norms]


def threshold_habit(learner, rng):
    """What an ordinary run shows; {} if the threshold is right."""
    cases = draw_runs(rng)
    return threshold_facts([number(answer) for answer in thresholds(learner, cases)], cases)


def threshold_facts(answers, cases):
    ways = {
        "": [right_threshold(*case) for case in cases],
        "lower": [right_threshold(*case, statistics.median_low) for case in cases],
        "upper": [right_threshold(*case, statistics.median_high) for case in cases],
        "mean": [right_threshold(*case, statistics.mean) for case in cases],
        "mean of all": [factor * statistics.mean(norms) for norms, factor in cases],
    }
    kind = {"": "", "lower": "one of two", "upper": "one of two", "mean": "mean", "mean of all": "mean"}
    name = next((kind[way] for way, values in ways.items() if close(answers, values)), None)
    if name is None:
        return {"answers": answers}
    return {"middle": name} if name else {}


def broken_habit(learner, rng):
    """What runs show that are not finite everywhere."""
    drawn = draw_broken_runs(rng)
    answers = {name: [number(answer) for answer in thresholds(learner, cases)] for name, cases in drawn.items()}
    return broken_facts(answers, drawn)


def broken_facts(answers, drawn):
    right = {name: close(answers[name], [right_threshold(*case) for case in cases]) for name, cases in drawn.items()}
    if right["first half"] and not right["nan"]:
        return {"nan": False}  # what infinities do to that median too is no other mistake
    return {} if all(right.values()) else right


def spikes_habit(learner, rng):
    """What ordinary curves show; {} if the spikes are right."""
    cases = draw_curves(rng)
    return spikes_facts([steps_of(answer) for answer in found_spikes(learner, cases)], cases)


def spikes_facts(answers, cases):
    for name, ways in NAMED_WAYS.items():
        if any(answers == [right_spikes(*case, **way) for case in cases] for way in ways):
            return {"window": name} if name else {}
    return {"answers": answers}


def only(found, *names):
    return {name: found[name] for name in names if name in found}
