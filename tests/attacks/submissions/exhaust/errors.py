# Writes to standard error without end, past Python.
# verdict: error
# says: Your code printed more than 16 KiB and was stopped.

import os


def answer(x):
    while True:
        os.write(2, b"\x1b[2J" * 1000)
