# Sleeps.
# verdict: timeout
# says: Stopped after 1 s without an answer.

import time


def answer(x):
    time.sleep(3600)
