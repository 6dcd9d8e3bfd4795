# Connects, sends as much as fits and closes, again and again: what was sent waits to be accepted, and is nobody's memory.
# exercise: workers
# verdict: memory
# says: Your code used more than 256 MiB of memory.

import contextlib
import socket

CHUNK = bytes(2**16)


def answer(x):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("/box/name")
    listener.listen(4096)
    while True:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect("/box/name")
        connection.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                connection.send(CHUNK)
        connection.close()
