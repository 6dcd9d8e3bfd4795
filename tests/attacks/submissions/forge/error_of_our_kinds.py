# Says over the wire that there was no box: such trouble is not for a box to name.
# verdict: error
# says: Your code raised NoBox

import os
import sys
from judge import wire
def answer(x):
    f=sys._getframe()
    while f:
        if f.f_code.co_name == "_serve":
            s=f.f_locals["answers"].fileno()
            os.write(s, wire.encode({"error": {"kind": "NoBox", "types": ["NoBox"], "text": "", "traceback": ""}}))
        f=f.f_back
    while True: pass
