# Takes locks on every second byte of a file.
# verdict: failed timeout
# says: The sum is | without an answer | processor time

import os, fcntl
def answer(x):
    n=0
    fd=os.open("a",os.O_RDWR|os.O_CREAT); os.ftruncate(fd,200000)
    try:
        for i in range(0,100000,2):
            fcntl.lockf(fd, fcntl.LOCK_EX|fcntl.LOCK_NB, 1, i); n+=1
    except OSError as e: print(e)
    print("locks", n)
    return 0.0
