"""The judge on your own machine: `python judge.py` lists the exercises, `python judge.py --help` the commands."""

import sys

try:
    from judge.command import main
except ModuleNotFoundError as missing:
    sys.exit(f"judge: {missing.name} is not installed here. Run `make setup`, then: .venv/bin/python judge.py")

if __name__ == "__main__":
    sys.exit(main())
