# Answers with a dict whose keys no file can hold.
# verdict: failed
# says: One of the sums is wrong

import sys

sys.modules["probe"].answers = lambda solution, xs: {"answers": {"\ud800\x00": "\udfff"}, "events": {"\ud800": ["\x1b"]}}


def answer(x):
    return float(x.sum())
