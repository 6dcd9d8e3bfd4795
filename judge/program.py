"""Programs that a box runs. They are compiled outside, once for all boxes of a judging: it takes as long as a check."""

from __future__ import annotations

import functools
import io
import linecache
import marshal
import sys
import warnings
from types import CodeType, ModuleType

SOLUTION_FILE = "solution.py"
PROBE_FILE = "probe.py"


@functools.cache  # in a judging few programs are run again and again
def compiled(source: str, filename: str) -> CodeType:
    """Raises SyntaxError. A hostile source may exhaust whoever compiles it: see `judge.examiner.examination.read`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `"\d"` and the like: the learner's business
        return compile(source, filename, "exec", dont_inherit=True)


@functools.cache
def packed(source: str, filename: str) -> bytes:
    """The compiled program for the same Python elsewhere. Only a box reads it: the examiner trusts no such bytes."""
    return marshal.dumps(compiled(source, filename))


def unpacked(program: bytes) -> CodeType:
    """What `packed` was given."""
    code = marshal.loads(program)  # noqa: S302 - from the examiner
    assert isinstance(code, CodeType)
    return code


def execute(name: str, code: CodeType, source: str) -> ModuleType:
    """A new module `name` in which the program has run; its tracebacks show the lines of `source`."""
    module = new_module(name, code.co_filename)
    run_in(module, code, source)
    return module


def new_module(name: str, filename: str) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    return module


def run_in(module: ModuleType, code: CodeType, source: str) -> None:
    """Run a program in a module that others may have run in before."""
    lines = io.StringIO(source, newline=None).readlines()  # which end where Python ends them
    linecache.cache[code.co_filename] = (len(source), None, lines, code.co_filename)
    exec(code, module.__dict__)  # noqa: S102 - this is what a box is for
