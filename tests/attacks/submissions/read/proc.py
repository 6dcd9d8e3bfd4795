# Reads its own and others' /proc, also by mounting one anew.
# verdict: error
# says: Your code raised FileNotFoundError

import ctypes
import os

os.makedirs("/box/proc", exist_ok=True)
if ctypes.CDLL(None).mount(b"proc", b"/box/proc", b"proc", 0, None) == 0:
    print("BREACH", os.listdir("/box/proc"))
for name in ("self/maps", "self/environ", "1/cmdline", "self/fd", "version", "mounts", "keys"):
    if os.path.exists(f"/proc/{name}"):
        print("BREACH", name)


def answer(x):
    return open("/proc/self/maps").read()
