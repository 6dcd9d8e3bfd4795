# Answers with more than the wire takes.
# verdict: error
# says: too large

def answer(x):
    return "x" * (2**20 + 1)
