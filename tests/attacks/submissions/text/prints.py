# Prints what terminals and pages act on.
# verdict: failed
# says: The sum is

import sys


def answer(x):
    print("\x1b[31mred\x1b]0;title\x07 \u202eturned\u2066 \x00 <script>alert(1)</script> {status} %s \ud800 \x9b2J")
    sys.stdout.buffer.write(b"\xff\xfe\x80\x1b[2J\r\n")
    return 0.0
