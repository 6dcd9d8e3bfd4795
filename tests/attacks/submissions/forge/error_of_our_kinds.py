# Says over the wire that there was no box, once or twice as it comes: such trouble is not for a box to name.
# verdict: failed error
# says: does not have the form | Your code raised NoBox

import sys
from judge import wire
def answer(x):
    f=sys._getframe()
    while f:
        s=f.f_locals.get("wire_socket")
        if s is not None:
            s.sendall(wire.encode({"error": {"kind": "NoBox", "types": ["NoBox"], "text": "", "traceback": ""}}))
        f=f.f_back
    while True: pass
