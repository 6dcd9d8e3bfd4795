# Raises errors in a loop of causes.
# verdict: error
# says: Your code raised ExceptionGroup

def answer(x):
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    group = ExceptionGroup("many", [first, second])
    for _ in range(200):
        group = ExceptionGroup("many", [group])
    raise group
