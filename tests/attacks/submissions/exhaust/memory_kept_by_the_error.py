# Keeps all memory taken while its error is described.
# verdict: memory
# says: Your code used more than 128 MiB of memory.

kept = []


def answer(x):
    size = 2**24
    while size:
        try:
            kept.append(bytearray(size))
        except MemoryError:
            size //= 2
    raise MemoryError
