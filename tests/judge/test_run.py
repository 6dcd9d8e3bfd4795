"""A reader's code through the real judge: what it prints arrives as it prints it, and each end has its own sentence."""

from __future__ import annotations

import dataclasses
import itertools
import os
import signal
import time

import pytest

from judge.grade import Judge
from judge.limits import Limits
from judge.run import BROKEN, LIMITS, LIMITS_WITH_PROCESSES, Ended, Printed, Program
from tests import processes


def ran(judge: Judge, *blocks: str, limits: Limits = LIMITS) -> tuple[str, Ended]:
    """What was printed, and how it ended."""
    *printed, ended = judge.run(Program(blocks=blocks, limits=limits))
    assert isinstance(ended, Ended)
    assert all(isinstance(event, Printed) for event in printed)
    return "".join(event.text for event in printed if isinstance(event, Printed)), ended


def test_it_prints_and_ends(judge: Judge) -> None:
    printed, ended = ran(judge, "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(__name__, end='')")
    assert printed == "1\n2\n__main__"
    assert (ended.message, ended.traceback) == (None, "")
    assert ended.duration_ms > 0


def test_what_becomes_longer_by_being_made_visible_is_bounded_too(judge: Judge) -> None:
    printed, ended = ran(judge, "print('\\x01' * 60_000)")
    assert len(printed) == LIMITS.output_kib * 1024
    assert "printed more than" in str(ended.message)


def test_output_arrives_while_it_runs(judge: Judge) -> None:
    events = judge.run(Program(blocks=("import time\nprint('first')\ntime.sleep(2)\nprint('second')",)))
    began = time.monotonic()
    first = next(event for event in events if isinstance(event, Printed) and event.text)
    assert time.monotonic() - began < 1.9
    assert first.text == "first\n"
    assert "".join(event.text for event in events if isinstance(event, Printed)) == "second\n"


def test_earlier_blocks_run_unheard_in_the_same_module(judge: Judge) -> None:
    printed, ended = ran(judge, "x = 1\nprint('unheard')", "x += 1", "print(x)")
    assert (printed, ended.message) == ("2\n", None)


def test_each_run_begins_with_nothing(judge: Judge) -> None:
    ran(judge, "import torch\ntorch.manual_seed(0)\nx = 1\nopen('kept', 'w').write('x')")
    printed, _ = ran(judge, "import os\nprint('x' in globals(), os.listdir())")
    assert printed == "False []\n"
    first, second = (ran(judge, "import torch\nprint(torch.rand(3))")[0] for _ in range(2))
    assert first != second


def test_an_error_shows_the_reader_s_own_lines(judge: Judge) -> None:
    printed, ended = ran(judge, "import torch\n\nprint('so far')\ntorch.ones(2) @ torch.ones(3)\n")
    assert printed == "so far\n"
    assert str(ended.message).startswith("Your code raised RuntimeError: ")
    assert ended.traceback == "block.py, line 4, in <module>\n    torch.ones(2) @ torch.ones(3)"


def test_of_several_blocks_an_error_names_the_one(judge: Judge) -> None:
    _, ended = ran(judge, "def f(x):\n    return 1 / x\n", "f(0)")
    assert ended.traceback == ("block_2.py, line 1, in <module>\n    f(0)\nblock_1.py, line 2, in f\n    return 1 / x")
    printed, ended = ran(judge, "1 / 0", "print('never')")
    assert printed == ""
    assert ended.traceback.startswith("block_1.py, line 1")


def test_blocks_may_have_names_of_their_own(judge: Judge) -> None:
    program = Program(blocks=("def f(x):\n    return 1 / x\n", "f(0)"), names=("solution.py", "study.py"))
    *_, ended = judge.run(program)
    assert isinstance(ended, Ended)
    assert ended.traceback == ("study.py, line 1, in <module>\n    f(0)\nsolution.py, line 2, in f\n    return 1 / x")


@pytest.mark.parametrize(
    ("code", "printed", "sentence"),
    [
        ("x = (", "", "Your code raised SyntaxError: '(' was never closed (block.py, line 1)"),
        ("a\0b", "", "Your code raised SyntaxError: source code string cannot contain null bytes"),
        ("print('a')\nwhile True: pass", "a\n", "Stopped after 1.5 s. No run may take longer here."),
        ("import time\nprint('a')\ntime.sleep(99)", "a\n", "Stopped after 1.5 s. No run may take longer here."),
        ("x = bytearray(2**30)", "", "Your code used more than 512 MiB of memory."),
        ("open('x', 'w').write('x' * 2**21)", "", "Your code wrote a file of more than 1024 KiB."),
        ("import os\nprint('a')\nos._exit(3)", "a\n", "Your code ended its process (exit status 3)."),
        ("raise SystemExit('bye')", "", "Your code raised SystemExit: bye"),
        ("import os\nos.fork()", "", "not allowed here"),
        ("import socket\nsocket.create_connection(('192.0.2.1', 80))", "", "not allowed here"),
        ("open('/five-lines/judge/wire.py', 'w')", "", "not allowed here"),
        ("import os\nfor fd in range(3, 99):\n  try: os.write(fd, b'x' * 99)\n  except OSError: pass", "", "disturbed"),
    ],
)
def test_each_end_has_its_sentence(judge: Judge, code: str, printed: str, sentence: str) -> None:
    found, ended = ran(judge, code, limits=dataclasses.replace(LIMITS, wall_s=1.5))
    assert found == printed
    assert sentence in str(ended.message)


def test_too_much_output_is_cut_at_the_limit(judge: Judge) -> None:
    printed, ended = ran(judge, "while True: print('x' * 99)")
    assert len(printed) == 64 * 1024
    assert str(ended.message) == "Your code printed more than 64 KiB and was stopped."


def test_what_is_printed_is_made_visible(judge: Judge) -> None:
    code = "import sys\nsys.stdout.buffer.write(b'\\x1b[31mred\\x00 \\xe2\\x80\\xaeturned \\xff')"
    printed, ended = ran(judge, code)
    assert (printed, ended.message) == ("\\x1b[31mred\\x00 \\u202eturned \ufffd", None)
    _, ended = ran(judge, "raise ValueError('\\x1b[31m')")
    assert str(ended.message) == "Your code raised ValueError: \\x1b[31m"


def test_a_character_printed_in_halves_is_one(judge: Judge) -> None:
    code = "import os, time\nfor byte in '墙'.encode():\n    os.write(1, bytes([byte]))\n    time.sleep(0.25)"
    assert ran(judge, code)[0] == "墙"


@pytest.mark.parametrize("code", ["import os\nos.close(1)\nos.close(2)", "import sys\nsys.stdout = sys.stderr = None"])
def test_without_an_output_it_ends_all_the_same(judge: Judge, code: str) -> None:
    assert ran(judge, f"print('a', flush=True)\n{code}")[0] == "a\n"


def test_blocks_that_ask_for_workers_have_them(judge: Judge) -> None:
    code = (
        "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n"
        "data = TensorDataset(torch.arange(8.0))\n"
        "print(sum(x.sum().item() for x, in DataLoader(data, batch_size=2, num_workers=2)))"
    )
    assert ran(judge, code, limits=LIMITS_WITH_PROCESSES)[0] == "28.0\n"
    assert "not allowed here" in str(ran(judge, code)[1].message)


def test_nobody_listening_ends_all_of_it(judge: Judge) -> None:
    events = judge.run(Program(blocks=("while True: pass",)))
    list(itertools.islice(events, 2))
    warm_parent = processes.warm_parent(judge._sandbox.process.pid)
    boxes = set(processes.below(warm_parent))
    events.close()
    assert processes.eventually(lambda: bool(boxes - set(processes.below(warm_parent)))), "the box lives on"
    assert ran(judge, "print('next')")[0] == "next\n"


def test_a_run_whose_box_was_killed_is_our_fault(judge: Judge) -> None:
    events = judge.run(Program(blocks=("import time\nprint('a')\ntime.sleep(5)",)))
    next(event for event in events if isinstance(event, Printed) and event.text)
    for pid in processes.below(processes.warm_parent(judge._sandbox.process.pid)):
        os.kill(pid, signal.SIGKILL)
    *_, last = events
    assert last == BROKEN
    assert ran(judge, "print('next')")[0] == "next\n"


def test_a_box_killed_before_it_printed_is_made_again(judge: Judge) -> None:
    events = judge.run(Program(blocks=("import time\ntime.sleep(1)\nprint('a')",)))
    next(events)
    for pid in processes.below(processes.warm_parent(judge._sandbox.process.pid)):
        os.kill(pid, signal.SIGKILL)
    *printed, last = events
    assert "".join(event.text for event in printed if isinstance(event, Printed)) == "a\n"
    assert (isinstance(last, Ended), last.message) == (True, None)


def test_a_run_whose_examiner_died_is_our_fault(judge: Judge) -> None:
    events = judge.run(Program(blocks=("import time\nprint('a')\ntime.sleep(5)",)))
    next(event for event in events if isinstance(event, Printed) and event.text)
    examiner = judge._examiner._process.pid
    for pid in [examiner, *processes.below(examiner)]:
        os.kill(pid, signal.SIGKILL)
    *_, last = events
    assert last == BROKEN
    assert ran(judge, "print('next')")[0] == "next\n"


def test_what_nests_too_deeply_is_said_to(judge: Judge) -> None:
    _, ended = ran(judge, "x = " + "-" * 60_000 + "1")
    assert "nested too deeply" in str(ended.message)
    assert "memory" not in str(ended.message)


def test_the_machine_has_no_name(judge: Judge) -> None:
    assert ran(judge, "import os\nprint(os.uname().nodename)")[0] == "box\n"
