# Forks without end.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import os


def answer(x):
    while True:
        os.fork()
