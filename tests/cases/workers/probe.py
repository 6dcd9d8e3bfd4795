def answer(solution, x):
    return solution.answer(x)


def answers(solution, xs):
    """A training of a kind: what each answer is, and what happened."""
    events = []
    found = []
    for x in xs:
        events.append("ask")
        found.append(solution.answer(x))
    return {"answers": found, "events": events}
