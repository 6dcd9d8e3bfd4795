# Reads a mapped file behind its end.
# verdict: error
# says: ended the process

import mmap, os
def answer(x):
    f=os.open("m", os.O_RDWR|os.O_CREAT); os.ftruncate(f, 4096)
    m=mmap.mmap(f, 4096); os.ftruncate(f, 0); m[0]
