"""Makes every silent failure of the crib sheet on a tiny problem and writes what happened to measured.json.

    python -m chapter.measure             # writes measured.json
    python -m chapter.measure --print     # prints it instead, for the test

The failures are the functions of `chapter.failures`. A test makes them all again and compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from chapter.failures import FAILURES, Facts, data, gradients, keeping, loop_lines, measuring, rate

OUTPUT = Path(__file__).parent / "measured.json"
MODULES = (loop_lines, measuring, rate, gradients, keeping, data)  # importing them fills FAILURES


def measure() -> dict[str, Facts]:
    return {name: make() for name, make in FAILURES.items()}


def rounded(value: object) -> object:
    """Four significant digits: more would only be noise from machine to machine."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    assert isinstance(value, list)
    return [rounded(item) for item in value]


def document() -> str:
    lines = [f" {json.dumps(name)}: {json.dumps(rounded(facts))}" for name, facts in measure().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    if sys.argv[1:] == ["--print"]:
        print(document(), end="")
    else:
        OUTPUT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
