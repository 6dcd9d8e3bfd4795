# Writes bytecode and modules over those of the packages.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import importlib.util
import os
import sys

import torch

sys.dont_write_bytecode = False


def answer(x):
    path = importlib.util.cache_from_source(torch.__file__)
    for name in (path, torch.__file__, os.path.join(os.path.dirname(torch.__file__), "evil.py")):
        try:
            with open(name, "ab") as file:
                file.write(b"x")
            print("BREACH", name)
        except OSError as error:
            last = error
    raise last
