# Ends, while a child holds wire and output open.
# verdict: error
# says: Your code ended the process (exit status 0)
# exercise: workers

import os
import time


def answer(x):
    if os.fork() == 0:
        while True:
            time.sleep(1)
    os._exit(0)
