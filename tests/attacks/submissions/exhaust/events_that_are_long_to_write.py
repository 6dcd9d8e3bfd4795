# A known mistake, with events beside it that take minutes to be written out as text.
# verdict: failed
# says: The sum is

import sys
import torch

probe = sys.modules["probe"]


def answers(solution, xs):
    heavy = torch.zeros([7] * 8, dtype=torch.uint8)
    return {"answers": [float(x.mean()) for x in xs], "events": [heavy] * 2}


probe.answers = answers


def answer(x):
    return float(x.mean())
