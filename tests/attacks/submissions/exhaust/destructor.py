# Objects whose end never ends.
# verdict: timeout
# says: without an answer | processor time

class D:
    def __del__(s):
        while True: pass
keep=D()
def answer(x):
    import builtins
    builtins.keep=D()
    return float(x.sum())
