# Asks a socket for a handle of the process at its other end, and who that is.
# exercise: workers
# verdict: failed
# says: The sum is

import socket

ours, theirs = socket.socketpair()
for option in (17, 77):  # SO_PEERCRED, SO_PEERPIDFD
    try:
        print("BREACH", ours.getsockopt(socket.SOL_SOCKET, option, 12))
    except OSError:
        pass


def answer(x):
    return 0.0
