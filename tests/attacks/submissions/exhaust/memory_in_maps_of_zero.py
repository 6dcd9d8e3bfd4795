# A shared map of /dev/zero is the same kind of memory.
# verdict: error
# says: FileNotFoundError

import mmap
import os

maps = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 100 * 2**20)
print("BREACH")


def answer(x):
    return 0.0
