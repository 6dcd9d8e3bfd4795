# Makes the describing of its own error end the process.
# verdict: error
# says: Your code raised

import linecache, traceback
class L(list):
    def __iter__(s): raise SystemExit(0)
traceback.extract_tb = lambda *a: L()
def answer(x):
    raise ValueError("x")
