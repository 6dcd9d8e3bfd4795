# Ends the process with status 0 when it is asked.
# verdict: error
# says: Your code ended the process (exit status 0)

import os


def answer(x):
    os._exit(0)
