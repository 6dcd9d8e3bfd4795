# Makes a child with a user namespace of its own, where it would be root.
# verdict: error
# says: Your code asked the system for something that is not allowed here
# exercise: workers

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def answer(x):
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x7E020000):
        if libc.syscall(56, flag | 17, 0, 0, 0, 0) >= 0 or libc.unshare(flag) == 0:
            print("BREACH", hex(flag))
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
