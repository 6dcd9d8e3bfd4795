# Forks twice to outlive its box.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import os


def answer(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                pass
    return 0.0
