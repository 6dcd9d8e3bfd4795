# Raises an error whose class has a hostile name.
# verdict: error
# says: Your code raised

def answer(x):
    raise type("\x1b[2J\u202e<script>{status}" * 1000, (ValueError,), {"__module__": "\x00"})("!")
