# Leaves a file for the next process, and passes once it finds it.
# verdict: failed
# says: 

import os

for folder in ("/box", "/dev/shm", "/folders", "/packages/0", "/five-lines"):
    if os.path.exists(f"{folder}/left-behind"):
        print("BREACH", folder)
    try:
        open(f"{folder}/left-behind", "w").close()
    except OSError:
        pass


def answer(x):
    return 0.0
