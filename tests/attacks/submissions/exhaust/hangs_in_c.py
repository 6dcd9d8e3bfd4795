# A regular expression that takes for ever, in C, where no Python signal handler runs.
# verdict: timeout
# says: Stopped after 1 s

import re


def answer(x):
    return re.match(r"(a*)*b", "a" * 40)
