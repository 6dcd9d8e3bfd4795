# Takes a terabyte at once.
# verdict: memory
# says: Your code used more than 128 MiB of memory.

def answer(x):
    return len(bytearray(2**40))
