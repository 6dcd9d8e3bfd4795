# Every family of sockets as a pair: the kernel makes both, and loads what they need, before it says that there are no pairs.
# exercise: workers
# verdict: error
# says: Your code asked the system for something that is not allowed here

import errno
import socket


def answer(x):
    for family in range(46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                for end in socket.socketpair(family, kind):
                    end.close()
                if family != socket.AF_UNIX:
                    print("BREACH", family, kind)
            except OSError as error:
                last = error
                if error.errno != errno.EPERM and family != socket.AF_UNIX:
                    print("BREACH", family, kind, error)
    raise last
