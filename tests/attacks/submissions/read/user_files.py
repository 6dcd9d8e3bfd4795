# Opens files of root, of the user who judges, and of the system.
# verdict: error
# says: Your code raised FileNotFoundError

import os

for path in ("/etc/passwd", "/etc/shadow", "/etc/gshadow", "/mnt/secret", "/box/../mnt/secret", "/home", "/var", "/tmp"):
    if os.path.exists(path):
        print("BREACH", path)


def answer(x):
    return open("/etc/passwd").read()
