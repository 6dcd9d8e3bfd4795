# Starts a shell from a child.
# verdict: failed
# says: The sum is
# exercise: workers

import os
import subprocess


def answer(x):
    for run in (lambda: subprocess.run(["/bin/sh", "-c", "echo BREACH"]), lambda: os.system("echo BREACH"), lambda: os.posix_spawn("/bin/sh", ["sh"], {})):
        try:
            if run() == 0:
                print("BREACH")
        except OSError:
            pass
    return 0.0
