# Takes memory, piece by piece.
# verdict: memory
# says: Your code used more than 128 MiB of memory.

def answer(x):
    kept = []
    while True:
        kept.append(bytearray(2**22))
