# Is right the first time it is called in a process.
# verdict: failed
# says: One of the sums is wrong

calls = 0


def answer(x):
    global calls
    calls += 1
    return float(x.sum()) if calls == 1 else 0.0
