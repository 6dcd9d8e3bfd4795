# Is awake only when the kernel's clock ticks: by ticks it has used its time long before it has, and is ended for it.
# exercise: workers
# verdict: timeout failed
# says: processor time | without an answer

import hashlib
import os
import threading
import time

TICK_S = 0.004
WORK = bytes(2**16)  # some tenths of a millisecond, without the interpreter's lock


def awake_at_ticks(processor):
    os.sched_setaffinity(0, {processor})
    while True:
        tick = (time.monotonic() // TICK_S + 1) * TICK_S
        time.sleep(max(0, tick - time.monotonic() - 0.0009))
        while time.monotonic() < tick + 0.00015:
            hashlib.sha256(WORK).digest()


for processor in sorted(os.sched_getaffinity(0)) * 3:
    threading.Thread(target=awake_at_ticks, args=(processor,), daemon=True).start()
time.sleep(60)


def answer(x):
    return x
