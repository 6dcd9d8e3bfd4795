# Two processes answer one question.
# verdict: failed error
# says: 
# exercise: workers

import os


def answer(x):
    os.fork()
    return 0.0
