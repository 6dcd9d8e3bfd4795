# Takes no more questions, while it keeps the process busy.
# verdict: timeout
# says: Stopped after 1 s without an answer.

import sys


def answer(x):
    frame = sys._getframe()
    while frame.f_code.co_name != "_serve":
        frame = frame.f_back
    frame.f_locals["questions"].close()
    while True:
        pass
