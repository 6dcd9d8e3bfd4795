"""Reads the command line's words and calls the command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from judge.command import author, doctor, learner
from judge.command.exits import FAULT, USAGE, UsageError
from judge.exercise import configured_roots, load_exercises
from judge.language import LANGUAGES
from judge.text import on_one_line

EPILOG = "exit status: 0 passed, 1 not passed, 2 usage or unreadable file, 3 a fault of the judge"


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    roots = configured_roots()
    for root in roots:
        if not root.is_dir():
            print(f"judge: there is no folder {root}, which FIVE_LINES_EXERCISES names", file=sys.stderr)
    shelf = load_exercises(roots)
    for problem in shelf.problems:
        print(f"judge: left out {on_one_line(str(problem))}", file=sys.stderr)
    try:
        status: int = arguments.command(shelf, arguments)
        return status
    except UsageError as error:
        print(f"judge: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="judge.py",
        description="Write the PyTorch training loop, and know at once whether it is right.",
        epilog=EPILOG,
    )
    language = os.environ.get("LC_ALL", os.environ.get("LANG", ""))[:2]
    parser.set_defaults(command=learner.list_exercises, lang=language if language in LANGUAGES else "en")
    commands = parser.add_subparsers(metavar="COMMAND")

    def command(name: str, function: object, help_text: str, *, takes_id: bool = True) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help_text, description=help_text, epilog=EPILOG)
        added.set_defaults(command=function)
        added.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS)
        if takes_id:
            added.add_argument("id", metavar="ID", help="an exercise, as `list` names it")
        return added

    command("list", learner.list_exercises, "list the exercises (default)", takes_id=False)
    command("start", learner.start, "write work/ID.py for you to fill in; never overwrites")
    test = command("test", learner.test, "judge your file")
    test.add_argument("files", metavar="FILE", nargs="*", type=Path, help="what to judge (default: work/ID.py)")
    test.add_argument("--sample", action="store_true", help="run only the tests that the exercise shows")
    test.add_argument("--json", action="store_true", help="print one verdict a line, as JSON")
    test.add_argument("--watch", action="store_true", help="judge again at each save")
    test.add_argument("--seed", type=int, help="draw as the verdict with this seed did")
    hint = command("hint", learner.hint, "show the next hint")
    hint.add_argument("number", metavar="NUMBER", nargs="?", type=int, help="show this hint again")
    command("solution", learner.solution, "show the reference solution")
    new = command("new", author.new, "make a folder for a new exercise, which already judges", takes_id=False)
    new.add_argument("id", metavar="ID", help="its name: lower-case words joined by hyphens")
    new.add_argument("--root", type=Path, help="the folder of exercises it goes into (default: the first configured)")
    preview = command("preview", author.preview, "show the page as learners will see it, following every change")
    preview.add_argument("--host", default="127.0.0.1", help="serve at this address (default: this machine alone)")
    preview.add_argument("--port", type=int, default=8001, help="serve at this port (default: 8001; 0: any)")
    verify = command("verify", author.verify, "say what is wrong with exercises", takes_id=False)
    verify.add_argument("ids", metavar="ID", nargs="*", help="which (default: all)")
    verify.add_argument(
        "--seeds", metavar="N", type=_count, default=5, help="judge under N seeds (default: 5); 0 only reads"
    )
    verify.add_argument("--json", action="store_true", help="print one report a line, as JSON")
    mutate = command("mutate", author.mutate, "measure how much the hidden suites catch", takes_id=False)
    mutate.add_argument("ids", metavar="ID", nargs="*", help="which (default: all)")
    mutate.add_argument("--seeds", metavar="N", type=_positive, default=1, help="judge each N times (default: once)")
    mutate.add_argument("--json", action="store_true", help="print one score a line, as JSON")
    command("doctor", doctor.doctor, "say what sandbox, limits and device this machine gives", takes_id=False)
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
