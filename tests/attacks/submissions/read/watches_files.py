# Has the kernel tell of each access to the machine's own files, and locks them.
# verdict: failed
# says: The sum is

import contextlib
import fcntl
import os

NOTIFY, LEASE = 1026, 1024
SHARED, EXCLUSIVE = fcntl.LOCK_SH, fcntl.LOCK_EX | fcntl.LOCK_NB


def answer(x):
    folder, file = os.open("/packages/0/numpy", os.O_RDONLY), os.open("/usr/bin/env", os.O_RDONLY)
    attempts = {
        "notify": lambda: fcntl.fcntl(folder, NOTIFY, 0x3F),
        "lease": lambda: fcntl.fcntl(file, LEASE, 0),
        "lock": lambda: fcntl.flock(file, EXCLUSIVE),
        "lock of a part": lambda: fcntl.lockf(file, SHARED),
    }
    for name, attempt in attempts.items():
        with contextlib.suppress(OSError):
            attempt()
            print("BREACH", name)
    return 0.0
