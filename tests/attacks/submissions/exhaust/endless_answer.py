# Answers with a list that holds itself ten times.
# verdict: timeout
# says: Stopped after 1 s

def answer(x):
    result = []
    result += [result] * 10
    return result
