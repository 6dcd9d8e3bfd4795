"""The judge on your own machine: `python judge.py` lists the exercises, `python judge.py --help` the commands."""

import sys

from judge.command import main

if __name__ == "__main__":
    sys.exit(main())
