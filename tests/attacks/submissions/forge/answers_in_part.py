# Announces an answer that never comes whole: nothing was answered in time.
# verdict: timeout
# says: Stopped after 1 s without an answer.

import os
import struct
import sys


def the_wire():
    frame = sys._getframe()
    while frame.f_code.co_name != "_serve":
        frame = frame.f_back
    return frame.f_locals["answers"].fileno()


def answer(x):
    os.write(the_wire(), struct.pack(">II", 20, 2**20) + b'{"dict":[["value"')
    return 6.0
