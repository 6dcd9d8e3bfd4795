"""Mutants that are right programs too: listed in an exercise's equivalent.toml, each with the reason.

    [[equivalent]]
    function = "collate"
    change = '''
    -    padded = sequences[0].new_full(shape, pad_value)
    +    padded = sequences[1].new_full(shape, pad_value)
    '''
    reason = "All sequences have the same dtype and device."

`change` is what the mutant's diff shows, without the lines that stay. Spaces at the ends of lines do not count.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from judge.author.finding import Finding
from judge.author.mutants import Mutant

FILE = "equivalent.toml"


@dataclass(frozen=True)
class Equivalent:
    function: str
    change: tuple[str, ...]
    reason: str

    def is_of(self, mutant: Mutant) -> bool:
        return (self.function, self.change) == (mutant.function, _normal(mutant.change))


def read_equivalents(folder: Path) -> tuple[list[Equivalent], list[Finding]]:
    """The list of a folder, empty where there is none, and what is wrong with it."""
    try:
        table = tomllib.loads((folder / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return [], []
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [], [Finding(FILE, "equivalent", f"not valid TOML: {error}")]
    equivalents, findings = [], []
    for number, entry in enumerate(table.get("equivalent", []), 1):
        texts = {key: str(entry.get(key, "")).strip("\n") for key in ("function", "change", "reason")}
        if not texts["change"].strip() or not texts["reason"].strip():
            findings.append(Finding(FILE, "equivalent", f"entry {number} must have a `change` and a `reason`"))
            continue
        equivalents.append(Equivalent(texts["function"], _normal(texts["change"].splitlines()), texts["reason"]))
    return equivalents, findings


def as_entry(mutant: Mutant) -> str:
    """How a mutant would stand in the list, its reason still to be written."""
    change = "\n".join(mutant.change)
    return f"[[equivalent]]\nfunction = \"{mutant.function}\"\nchange = '''\n{change}\n'''\nreason = \"\"\n"


def unmatched(equivalents: Iterable[Equivalent], mutants: Iterable[Mutant]) -> list[Finding]:
    """Entries that speak of a program which the reference has no longer."""
    mutants = list(mutants)
    return [
        Finding(FILE, "equivalent", f"no mutant of solution.py has this change any more: {entry.change[0]!r}")
        for entry in equivalents
        if not any(entry.is_of(mutant) for mutant in mutants)
    ]


def _normal(change: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in change if line.strip())
