"""What became of a call, as plain data."""

from __future__ import annotations

from collections.abc import Callable


def raised(call: Callable[[], object]) -> list[str]:
    """The class names of the error that `call()` raises, most derived first; `[]` when it raises none."""
    try:
        call()
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__ if kind is not object]
    return []
