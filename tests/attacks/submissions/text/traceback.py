# Fakes the lines of its own traceback.
# verdict: error
# says: Your code raised

import linecache

linecache.cache["solution.py"] = (1, None, ["/srv/site/secret \x1b[2J\u202e<script>\n"] * 100, "solution.py")
linecache.getline = lambda *a, **k: "\x1b[2J" * 1000


def answer(x):
    exec(compile("\n" * 50 + "raise ValueError('x')", "solution.py", "exec"), {"__name__": "\x1b"})
