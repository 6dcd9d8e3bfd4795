# Catches whatever is raised and goes on.
# verdict: timeout
# says: Stopped after 1 s

def answer(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            answer(x)
