# Answers with a list of a list of a list.
# verdict: failed
# says: The sum is

def answer(x):
    result = []
    for _ in range(100_000):
        result = [result]
    return result
