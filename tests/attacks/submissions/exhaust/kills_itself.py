# Tries every way to kill itself, which would look like somebody outside; then aborts.
# verdict: error
# says: ended the process

import os, signal, ctypes
def answer(x):
    libc=ctypes.CDLL(None)
    libc.kill(1,9); libc.raise_(9) if hasattr(libc,"raise_") else None
    libc.syscall(234, 1, 1, 9)   # tgkill
    libc.syscall(200, 1, 9)      # tkill
    libc.syscall(129, 1, 9, 0)   # rt_sigqueueinfo
    libc.syscall(424, 0, 9, 0, 0)  # pidfd_send_signal
    libc.abort()
