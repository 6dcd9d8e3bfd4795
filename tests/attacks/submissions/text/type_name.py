# Answers with an object whose type has a hostile name.
# verdict: failed
# says: The sum is

Hostile = type("\x1b[2J\u202e{got}<script>" * 100, (), {"__module__": "\ud800\x00"})


def answer(x):
    return Hostile()
