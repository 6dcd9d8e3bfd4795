# Forks without end, where an exercise allows processes.
# verdict: error
# says: Your code raised BlockingIOError
# exercise: workers

import os
import time


def answer(x):
    while True:
        if os.fork() == 0:
            time.sleep(3600)
