# Promises a frame as large as allowed, and sends it too slowly to end.
# verdict: timeout
# says: Stopped after 1 s

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

import time


def answer(x):
    wire = the_wire()
    os.write(wire, struct.pack(">II", 2**20, 0))
    while True:
        os.write(wire, b" ")
        time.sleep(0.01)
