# Runs a command, and becomes one.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import os


def answer(x):
    if os.system("echo BREACH") == 0:
        print("BREACH")
    os.execv("/bin/sh", ["sh", "-c", "echo BREACH"])
