# Kills and stops whatever it may: its parent, everybody, itself.
# verdict: failed
# says: The sum is

import os
import signal


def answer(x):
    for pid in (-1, 0, 1, 2, os.getppid(), os.getpid()):
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGTSTP):
            try:
                os.kill(pid, number)
            except OSError:
                pass
    for pid in range(2, 2000):
        try:
            os.kill(pid, 0)
            print("BREACH", pid)
        except OSError:
            pass
    return 0.0
