# Looks for a capability, another identity, or a way to gain one.
# verdict: failed
# says: The sum is

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
if 0 in os.getresuid() or os.getgroups() and 0 in os.getgroups():
    print("BREACH", os.getresuid(), os.getgroups())
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.seteuid(0)):
    try:
        change()
        print("BREACH")
    except OSError:
        pass
header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
if libc.capget(header, data) == 0 and any(data):
    print("BREACH", list(data))
try:
    os.chmod("/usr/bin/env", 0o777)
    print("BREACH chmod")
except OSError:
    pass
for target in ("/usr", "/packages/0", "/five-lines/judge", "/five-lines/judge/kit", "/python", "/etc", "/dev", "/", "/folders"):
    try:
        open(f"{target}/mine", "w")
        print("BREACH", target)
    except OSError:
        pass


def answer(x):
    return 0.0
