# Starts threads without end.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import threading
import time


def answer(x):
    while True:
        threading.Thread(target=time.sleep, args=(3600,)).start()
