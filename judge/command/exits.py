"""Exit statuses, and the error of a caller."""

PASSED, NOT_PASSED, USAGE, FAULT = 0, 1, 2, 3


class UsageError(Exception):
    """The command was given something it cannot work with; the text says what to do."""
