# An error that is named like the fields of a sentence's template.
# verdict: error
# says: Your code raised

class X(Exception): pass
X.__name__ = "{error}{0}<b>" ; X.__qualname__="y"
def answer(x): raise X("")
