# Raises an error whose class lies about its name and its ancestors.
# verdict: error
# says: Your code raised Lies

class Meta(type):
    @property
    def __name__(cls):
        return 42

    @property
    def __mro__(cls):
        return [cls] * 100


class Lies(Exception, metaclass=Meta):
    pass


def answer(x):
    raise Lies("no")
