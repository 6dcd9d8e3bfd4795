# A tensor of a shape that its bytes do not fill.
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
    os.write(the_wire(), frame(b'{"dict":[["value",{"tensor":["float32",[2147483647,2147483647,2]]}]]}', b"1234"))
    return 0.0
