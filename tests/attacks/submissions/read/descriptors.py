# Reads from, writes to and seeks in every descriptor it holds.
# verdict: error
# says: Your code

import os
import stat

for fd in range(256):
    try:
        kind = os.fstat(fd)
    except OSError:
        continue
    if stat.S_ISREG(kind.st_mode) or stat.S_ISDIR(kind.st_mode):
        print("BREACH", fd)
    for way in ("/..", "/../../etc/passwd"):
        try:
            os.open(".", os.O_RDONLY, dir_fd=fd)
            print("BREACH", fd)
        except (OSError, ValueError):
            pass
os.set_blocking(3, False)


def answer(x):
    return os.read(0, 10) + os.read(1, 10)
