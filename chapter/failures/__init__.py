"""The silent failures of the crib sheet, one function each, named as the crib sheet's rows name them.

Each runs the right program and the wrong one on a tiny problem and returns numbers; a `series` holds the two short
curves that the page draws. Nothing here raises an error in torch: that is the point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

Number: TypeAlias = float | int | bool
Series: TypeAlias = dict[str, list[float]]
Facts: TypeAlias = Mapping[str, Number | Series]

FAILURES: dict[str, Callable[[], Facts]] = {}


def failure(function: Callable[[], Facts]) -> Callable[[], Facts]:
    FAILURES[function.__name__] = function
    return function


def curves(right: Sequence[float], wrong: Sequence[float], points: int = 30) -> Series:
    """Two curves thinned to a few points each."""

    def thin(values: Sequence[float]) -> list[float]:
        last = len(values) - 1
        places = range(len(values)) if last < points else [i * last // (points - 1) for i in range(points)]
        return [float(values[i]) for i in places]

    return {"right": thin(right), "wrong": thin(wrong)}
