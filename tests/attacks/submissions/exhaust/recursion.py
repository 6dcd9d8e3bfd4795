# Recurses until the interpreter's own stack ends.
# verdict: memory error timeout
# says: 

import sys

sys.setrecursionlimit(10**9)


def answer(x):
    return answer(x) + 1
