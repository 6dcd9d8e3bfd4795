# Raises an error whose text is hostile.
# verdict: error
# says: Your code raised Exception: {got} {0.__class__} %s

def answer(x):
    raise Exception("{got} {0.__class__} %s \x1b[2J \u202e\x00 \ud800 <script>" + "x" * 100_000)
