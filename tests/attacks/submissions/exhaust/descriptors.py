# Opens descriptors without end.
# verdict: error
# says: Too many open files

import os


def answer(x):
    while True:
        os.dup(0)
