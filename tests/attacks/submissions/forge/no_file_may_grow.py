# Sets the one limit that may be set, and would die of it.
# verdict: failed error
# says: The sum is | ended the process

import resource, os, signal
def answer(x):
    resource.setrlimit(resource.RLIMIT_FSIZE,(0,0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    open("a","w").write("x"*10)
    return 0.0
