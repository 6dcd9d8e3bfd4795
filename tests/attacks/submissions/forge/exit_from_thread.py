# A thread that ends the process with status 0 while the answer is awaited.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import os
import threading
import time

threading.Thread(target=lambda: (time.sleep(0.1), os._exit(0)), daemon=True).start()


def answer(x):
    time.sleep(5)
