# Makes itself a user namespace, in which it would be root.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def answer(x):
    for flags in (0x10000000, 0x10020000, 0x7E020000):
        if libc.unshare(flags) == 0:
            print("BREACH unshare")
        if libc.syscall(56, flags | 17, 0, 0, 0, 0) >= 0:
            print("BREACH clone")
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
