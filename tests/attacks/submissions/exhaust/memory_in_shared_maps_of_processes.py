# Fills shared maps, which belong to no process and to no file, in a few processes.
# exercise: workers
# verdict: error
# says: PermissionError

import mmap
import os
import time


def answer(x):
    for _ in range(4):
        if os.fork() == 0:
            shared = mmap.mmap(-1, 240 * 2**20)
            while shared.tell() < len(shared):
                shared.write(b"x" * 2**20)
            time.sleep(20)
            os._exit(0)
    time.sleep(20)
