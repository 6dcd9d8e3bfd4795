# Answers with more than the wire takes.
# verdict: failed
# says: The answer does not have the form that was asked for.

def answer(x):
    return "x" * (2**20 + 1)
