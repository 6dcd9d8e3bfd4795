# Changes the clock, the host's name and the locale.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import locale
import time

locale.setlocale(locale.LC_ALL, "C")


def answer(x):
    time.clock_settime(time.CLOCK_REALTIME, 0)
