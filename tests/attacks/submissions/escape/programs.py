# Starts a shell.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import subprocess


def answer(x):
    return subprocess.run(["/bin/sh", "-c", "id"], capture_output=True).stdout
