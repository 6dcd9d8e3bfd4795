# Fills memory with many processes, each of them far below the limit.
# exercise: workers
# verdict: memory timeout
# says: more than 256 MiB of memory | without an answer

import os, time


def answer(x):
    for _ in range(16):
        if os.fork() == 0:
            mine = b"x" * (150 * 2**20)
            time.sleep(20)
            os._exit(len(mine))
    time.sleep(20)
