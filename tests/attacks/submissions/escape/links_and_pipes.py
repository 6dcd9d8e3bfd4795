# Symbolic and hard links, FIFOs and device nodes that lead out of its folder.
# verdict: error
# says: Your code raised FileNotFoundError

import os
import stat

for target in ("/etc/shadow", "/proc/1/root", "/proc/self/fd/3", "/../../../../root", "/mnt/secret"):
    os.symlink(target, "/box/link")
    if os.path.exists("/box/link"):
        print("BREACH", target)
    os.unlink("/box/link")
for make in (
    lambda: os.link("/usr/bin/env", "/box/hard"),
    lambda: os.mkfifo("/box/fifo"),
    lambda: os.mknod("/box/device", stat.S_IFCHR | 0o666, os.makedev(1, 1)),
    lambda: os.chown("/box", 0, 0),
):
    try:
        make()
        print("BREACH")
    except OSError:
        pass
os.symlink("/etc/shadow", "/box/link")


def answer(x):
    return open("/box/link").read()
