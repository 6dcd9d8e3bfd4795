# Has so many maps that looking at what is in them takes longer than filling memory.
# exercise: workers
# verdict: memory timeout
# says: more than 256 MiB of memory | without an answer

import ctypes
import os
import time

PAGE, MAPS, READ_WRITE, READ, PRIVATE_ANONYMOUS = 4096, 30_000, 3, 1, 0x22
libc = ctypes.CDLL(None)
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mmap.restype = ctypes.c_void_p
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def answer(x):
    at = libc.mmap(None, MAPS * PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0)
    for page in range(0, MAPS, 2):
        libc.mprotect(at + page * PAGE, PAGE, READ)
    for _ in range(8):
        if os.fork() == 0:
            mine = b"x" * (100 * 2**20)
            time.sleep(20)
            os._exit(len(mine))
    time.sleep(20)
