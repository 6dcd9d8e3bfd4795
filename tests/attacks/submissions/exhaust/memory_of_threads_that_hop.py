# In processes whose first thread has ended, threads that end as soon as they have begun the next one hold memory.
# exercise: workers
# verdict: memory timeout
# says: more than 256 MiB of memory | without an answer

import ctypes
import mmap
import os
import time

# Over and over: nanosleep, clone(CLONE_VM | CLONE_SIGHAND | CLONE_THREAD), and the older of the two threads exits.
HOP = bytes.fromhex(
    "4989fc b823000000 4c89e7 31f6 0f05 b838000000 bf00090100 31f6 31d2 4531d2 4531c0 0f05 85c0 7eda b83c000000 31ff 0f05"
)


def hop():
    memory = b"x" * (150 * 2**20)
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(HOP)
    pause = (ctypes.c_long * 2)(0, 20_000)
    ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(code)))(pause)
    os._exit(len(memory))


def answer(x):
    for _ in range(8):
        if os.fork() == 0:
            hop()
    time.sleep(20)
