# Raises an error that raises when it is shown, however it is asked.
# verdict: error
# says: Your code raised Hostile

class Hostile(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __traceback__(self):
        raise KeyboardInterrupt

    @property
    def __class__(self):
        raise MemoryError

    @property
    def errno(self):
        raise GeneratorExit


def answer(x):
    raise Hostile
