# Counts for ever.
# verdict: timeout
# says: Stopped after 1 s

def answer(x):
    while True:
        pass
