# Sends a dict whose keys all have one hash: filling it takes time by the square.
# verdict: failed
# says: The answer does not have the form that was asked for.

import os
import struct
import sys


def the_wire():
    frame = sys._getframe()
    while frame.f_code.co_name != "_serve":
        frame = frame.f_back
    return frame.f_locals["answers"].fileno()


def frame(text, blob=b""):
    return struct.pack(">II", len(text), len(blob)) + text + blob


def answer(x):
    keys = b",".join(b"[%d,0]" % (number * (2**61 - 1)) for number in range(1, 30_000))
    os.write(the_wire(), frame(b'{"dict":[["value",{"dict":[' + keys + b"]}]]}"))
    return 0.0
