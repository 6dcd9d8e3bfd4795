# Asks devices, the terminal and namespaces for what only their owner may have.
# verdict: failed
# says: The sum is

import fcntl, os, ctypes, errno
def answer(x):
    for path in ("/dev/null","/dev/full","/dev/random","/dev/urandom"):
        fd=os.open(path, os.O_RDWR)
        for req in (0x5203,0x40085203,0x5207,0x5412,0x5401,0x894B,0xB701,0xB702,0xB703,0xB704,0x8008B705):
            try: r=fcntl.ioctl(fd, req, b"\0"*64); pass
            except OSError: pass
    for fd in (0,1,2):
        for req in (0x5412,0x540E,0x5423,0xB701,0xB702,0xB703):
            try: fcntl.ioctl(fd, req, b"\0"*64); print("BREACH ioctl", fd, hex(req))
            except OSError: pass
    return 0.0
