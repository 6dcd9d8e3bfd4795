# Symbolic and hard links, FIFOs and device nodes that lead out of its folder.
# verdict: error
# says: Your code raised FileNotFoundError

import os
import stat

for target in ("/etc/shadow", "/proc/1/root", "/proc/self/fd/3", "/../../../../root", "/mnt/secret"):
    os.symlink(target, "/work/link")
    if os.path.exists("/work/link"):
        print("BREACH", target)
    os.unlink("/work/link")
for make in (
    lambda: os.link("/usr/bin/env", "/work/hard"),
    lambda: os.mkfifo("/work/fifo"),
    lambda: os.mknod("/work/device", stat.S_IFCHR | 0o666, os.makedev(1, 1)),
    lambda: os.chown("/work", 0, 0),
):
    try:
        make()
        print("BREACH")
    except OSError:
        pass
os.symlink("/etc/shadow", "/work/link")


def answer(x):
    return open("/work/link").read()
