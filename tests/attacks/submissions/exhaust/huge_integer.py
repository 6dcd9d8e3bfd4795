# Answers with an integer of a hundred thousand digits.
# verdict: failed
# says: The sum is

def answer(x):
    return 1 << 400_000
