# Makes empty files without end.
# verdict: error
# says: No space left on device

def answer(x):
    for number in range(10**9):
        open(f"{number}", "w").close()
