# Nests folders until no path reaches them.
# verdict: error
# says: Your code raised OSError

import os


def answer(x):
    while True:
        os.mkdir("a" * 200)
        os.chdir("a" * 200)
