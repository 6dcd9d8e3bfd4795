# Starts threads without end, where an exercise allows processes.
# verdict: error
# says: Your code asked the system for something that is not allowed here
# exercise: workers

import threading
import time


def answer(x):
    while True:
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
