# Recurses as deep as Python allows.
# verdict: error
# says: Your code raised RecursionError

def answer(x):
    return answer(x)
