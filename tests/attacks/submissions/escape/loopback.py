# Calls the site on the same machine.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import urllib.request


def answer(x):
    import socket

    try:
        print("BREACH", urllib.request.urlopen("http://127.0.0.1:8000/", timeout=1).read())
    except OSError:
        pass
    return socket.create_connection(("127.0.0.1", 8000))
