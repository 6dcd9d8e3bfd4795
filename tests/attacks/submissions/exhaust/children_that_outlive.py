# Leaves children behind that ignore signals and work on.
# verdict: failed
# says: The sum is
# exercise: workers

import os
import signal


def answer(x):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    if os.fork() == 0:
        while True:
            pass
    return 0.0
