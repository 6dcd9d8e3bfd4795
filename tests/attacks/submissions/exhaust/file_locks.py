# Takes locks on every second byte of a file.
# verdict: failed
# says: The sum is

import fcntl
import os


def answer(x):
    fd = os.open("a", os.O_RDWR | os.O_CREAT)
    os.ftruncate(fd, 200000)
    try:
        for place in range(0, 100000, 2):
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            print("BREACH", place)
    except OSError as error:
        print(error)
    return 0.0
