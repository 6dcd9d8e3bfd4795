# Prints what a successful run of pytest prints, and leaves with status 0.
# verdict: error
# says: Your code ended the process (exit status 0)

import os


def answer(x):
    os.write(1, b"..\n2 passed in 0.01s\n")
    os.write(2, b'{"status": "passed"}\n')
    os._exit(0)
