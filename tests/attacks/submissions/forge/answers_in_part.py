# Announces an answer that never comes whole: nothing was answered in time.
# verdict: timeout
# says: Stopped after 1 s without an answer.

import struct
import sys


def the_wire():
    frame = sys._getframe()
    while "wire_socket" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["wire_socket"]


def answer(x):
    the_wire().sendall(struct.pack(">II", 20, 2**20) + b'{"dict":[["value"')
    return 6.0
