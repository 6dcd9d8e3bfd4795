# Prints without end.
# verdict: error
# says: Your code printed more than 16 KiB and was stopped.

def answer(x):
    while True:
        print("x" * 1000)
