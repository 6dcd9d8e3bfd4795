# Answers with a list that holds itself ten times.
# verdict: timeout memory
# says: Stopped after 1 s | Your code used more than

def answer(x):
    result = []
    result += [result] * 10
    return result
