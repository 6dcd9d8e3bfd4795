# Maps memory that no limit on the heap sees.
# verdict: memory
# says: more than 128 MiB of memory

import mmap


def answer(x):
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 2**24, mmap.MAP_PRIVATE))
        kept[-1][::4096] = b"x" * 4096
