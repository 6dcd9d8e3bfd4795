"""The command line: one module a desk, `learner.py` for those who solve and `doctor.py` for the machine."""

from judge.command.main import main

__all__ = ["main"]
