# A signal handler that ends the process with status 0.
# verdict: error
# says: Your code ended the process (exit status 0)

import os
import signal
import time

signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.05)


def answer(x):
    time.sleep(5)
