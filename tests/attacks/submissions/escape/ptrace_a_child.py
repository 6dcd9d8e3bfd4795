# Traces and dumps its own child, to see what the kernel allows.
# verdict: failed
# says: The sum is
# exercise: workers

import ctypes
import os
import signal
import time

libc = ctypes.CDLL(None, use_errno=True)


def answer(x):
    child = os.fork()
    if child == 0:
        if libc.ptrace(0, 0, 0, 0) == 0:
            print("BREACH")
        time.sleep(3600)
    for request in (16, 0x4206):  # attach, seize
        if libc.ptrace(request, child, 0, 0) == 0:
            print("BREACH")
    os.kill(child, signal.SIGKILL)
    return 0.0
