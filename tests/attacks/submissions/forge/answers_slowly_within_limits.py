# Promises a frame as large as allowed, and sends it too slowly to end.
# verdict: timeout
# says: Stopped after 1 s

import os
import socket
import struct
import sys


def the_wire():
    frame = sys._getframe()
    while "wire_socket" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["wire_socket"]


def frame(text, blob=b""):
    return struct.pack(">II", len(text), len(blob)) + text + blob

import time


def answer(x):
    wire = the_wire()
    wire.sendall(struct.pack(">II", 2**20, 0))
    while True:
        wire.send(b" ")
        time.sleep(0.01)
