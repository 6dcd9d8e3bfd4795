# Never ends to load.
# verdict: timeout
# says: Stopped after 1 s

while True:
    pass

def answer(x): ...
