# Every family of sockets but those of its own box, where an exercise allows processes.
# verdict: error
# says: Your code asked the system for something that is not allowed here
# exercise: workers

import socket


def answer(x):
    for family in range(46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
                if family != socket.AF_UNIX:
                    print("BREACH", family, kind)
            except OSError as error:
                last = error
    raise last
