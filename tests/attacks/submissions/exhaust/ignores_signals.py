# Ignores every signal and sleeps in a loop.
# verdict: timeout
# says: Stopped after 1 s

import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def answer(x):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
