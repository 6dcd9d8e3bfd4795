# Answers with NaN, infinities and the ends of what numbers can be.
# verdict: failed
# says: 

VALUES = [float("nan"), float("inf"), -float("inf"), 1e308, -0.0, 2**63 - 1, -(2**63), 5e-324]
asked = 0


def answer(x):
    global asked
    asked += 1
    return VALUES[asked % len(VALUES)]
