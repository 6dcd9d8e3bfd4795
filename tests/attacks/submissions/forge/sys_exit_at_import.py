# SystemExit with status 0 while the file is loaded.
# verdict: error
# says: Your code raised SystemExit: 0

import sys

def answer(x): ...
sys.exit(0)
