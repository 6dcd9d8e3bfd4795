# Fills memory with threads of processes whose first thread, the one that is asked first, has ended.
# exercise: workers
# verdict: memory timeout
# says: more than 256 MiB of memory | without an answer

import _thread
import ctypes
import os
import time


def hold():
    mine = b"x" * (150 * 2**20)
    time.sleep(20)
    os._exit(len(mine))


def answer(x):
    for _ in range(8):
        if os.fork() == 0:
            _thread.start_new_thread(hold, ())
            ctypes.CDLL(None).syscall(60, 0)  # exit: this thread alone
    time.sleep(20)
