"""A box as its user sees it: what it answers, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator

import pytest
import torch

from judge.grade import Judge
from judge.limits import Limits
from judge.sandbox import client, parent
from judge.sandbox.client import Box, SharedFolder
from judge.wire import Opaque
from tests.processes import below, command_of, warm_parent

PROBE = "def call(solution, name, **arguments):\n    return getattr(solution, name)(**arguments)\n"
LIMITS = Limits(wall_s=10)


@pytest.fixture
def control(judge: Judge) -> socket.socket:
    if not judge._sandbox.alive():
        judge._restart()
    return judge._sandbox.control


@pytest.fixture
def box(control: socket.socket) -> Iterator[Box]:
    with Box(control, LIMITS) as box:
        yield box


def test_a_box_answers_what_its_functions_return(box: Box) -> None:
    box.load("state = []\n\ndef add(x):\n    state.append(x)\n    return state\n", PROBE)
    assert box.call("call", {"name": "add", "x": 1}) == [1]
    second = box.call("call", {"name": "add", "x": torch.tensor([2.0])})
    assert isinstance(second, list)
    assert second[0] == 1
    assert torch.equal(second[1], torch.tensor([2.0]))


def test_what_is_no_plain_data_is_opaque(box: Box) -> None:
    box.load("def f():\n    return f\n", PROBE)
    answer = box.call("call", {"name": "f"})
    assert isinstance(answer, Opaque)
    assert answer.type_name == "builtins.function"


def test_an_error_brings_its_classes_text_and_lines(box: Box) -> None:
    box.load("class Own(ValueError): pass\n\ndef f():\n    raise Own('why')\n", PROBE)
    with pytest.raises(client.Raised) as caught:
        box.call("call", {"name": "f"})
    assert caught.value.kind == "error"
    assert caught.value.types == ["Own", "ValueError", "Exception", "BaseException"]
    assert caught.value.text == "why"
    assert caught.value.traceback == "solution.py, line 4, in f\n    raise Own('why')"


def test_an_error_does_not_end_the_box(box: Box) -> None:
    box.load("def f(x):\n    return 1 / x\n", PROBE)
    with pytest.raises(client.Raised):
        box.call("call", {"name": "f", "x": 0})
    assert box.call("call", {"name": "f", "x": 2}) == 0.5


def test_prints_are_kept(box: Box) -> None:
    box.load("print('at load')\n\ndef f():\n    print('in call')\n", PROBE)
    box.call("call", {"name": "f"})
    assert box.output.text() == "at load\nin call\n"


def test_a_process_that_ends_tells_its_status(box: Box) -> None:
    box.load("import os\n\ndef f():\n    os._exit(5)\n", PROBE)
    with pytest.raises(client.Died) as caught:
        box.call("call", {"name": "f"})
    assert caught.value.status == 5


@pytest.mark.parametrize("kept", ["[1]", "torch.zeros(1)", "b'x' * 2**20"])
def test_whatever_fills_the_memory_the_memory_it_is(control: socket.socket, kept: str) -> None:
    """Small objects leave no room in which to say so."""
    source = f"import torch\n\ndef f():\n    kept = []\n    while True:\n        kept.append({kept})\n"
    with Box(control, Limits(wall_s=60, cpu_s=60, memory_mib=100)) as box:
        box.load(source, PROBE)
        with pytest.raises(client.BoxError) as caught:
            box.call("call", {"name": "f"})
    assert isinstance(caught.value, client.OutOfMemory) or getattr(caught.value, "kind", "") == "memory"


def test_the_wall_time_of_all_calls_counts(control: socket.socket) -> None:
    with Box(control, Limits(wall_s=1.5)) as box:
        box.load("import time\n\ndef f():\n    time.sleep(0.8)\n", PROBE)
        box.call("call", {"name": "f"})
        with pytest.raises(client.WallTimeout):
            box.call("call", {"name": "f"})


CROWD = """
import os, time

def crowd(processes, mib, stay_s):
    reader, writer = os.pipe()
    for _ in range(processes):
        if os.fork() == 0:
            mine = b"x" * (mib * 2**20)
            os.write(writer, b".")
            time.sleep(60)
            os._exit(0)
    for _ in range(processes):
        os.read(reader, 1)
    time.sleep(stay_s)
    return "all there"
"""


def test_the_memory_of_all_processes_counts_together(control: socket.socket) -> None:
    limits = Limits(wall_s=60, cpu_s=60, memory_mib=300, processes=8)
    with Box(control, limits) as box:
        box.load(CROWD, PROBE)
        assert box.call("call", {"name": "crowd", "processes": 2, "mib": 140, "stay_s": 1}) == "all there"
    with Box(control, limits) as box:
        box.load(CROWD, PROBE)
        with pytest.raises(client.OutOfMemory):
            box.call("call", {"name": "crowd", "processes": 6, "mib": 140, "stay_s": 50})


def test_a_box_in_which_very_many_are_born_passes_memory_on(control: socket.socket) -> None:
    source = f"""
import _thread, os, time

def f():
    born = 0
    while born < {parent.MAX_BORN}:
        try:
            _thread.start_new_thread(int, ())
            born += 1
        except RuntimeError:  # so many are not gone yet
            time.sleep(0.001)
    if os.fork() == 0:
        time.sleep(60)
    time.sleep(60)
"""
    with Box(control, Limits(wall_s=60, cpu_s=60, memory_mib=300, processes=8)) as box:
        box.load(source, PROBE)
        with pytest.raises(client.OutOfMemory):
            box.call("call", {"name": "f"})


def test_a_box_with_processes_begins_when_all_of_the_last_one_are_gone(judge: Judge, control: socket.socket) -> None:
    parent = warm_parent(judge._sandbox.process.pid)
    limits = Limits(wall_s=60, cpu_s=60, memory_mib=300, processes=8)
    with Box(control, limits) as box:
        box.load(CROWD, PROBE)
        assert box.call("call", {"name": "crowd", "processes": 6, "mib": 1, "stay_s": 0}) == "all there"
        made = {pid for pid, its_parent in below(parent).items() if its_parent != parent}
        assert len(made) == 6
    with Box(control, limits):
        assert not made & set(below(parent))


def test_a_part_of_an_answer_does_not_end_the_looks(control: socket.socket) -> None:
    """Between two looks it is seen whether the reader has stopped the run, and what was printed is shown."""
    says_a_byte = """
import contextlib, os, time
for fd in range(3, 20):
    with contextlib.suppress(OSError):
        os.write(fd, b"\\0")
time.sleep(60)
"""
    with Box(control, Limits(wall_s=3, cpu_s=60)) as box:
        looks: list[None] = []
        with pytest.raises(client.WallTimeout):
            looks.extend(box.run(["block.py"], [says_a_byte], 0.05))
    assert len(looks) > 10


def test_two_boxes_share_nothing(control: socket.socket) -> None:
    source = (
        "import os\n\ndef f():\n    found = os.listdir('.')\n    os.mkdir('mine')\n    return [found, os.getpid()]\n"
    )
    for _ in range(2):
        with Box(control, LIMITS) as box:
            box.load(source, PROBE)
            assert box.call("call", {"name": "f"}) == [[], 1]


def test_boxes_of_one_folder_share_its_files(control: socket.socket) -> None:
    source = "import os\n\ndef f():\n    found = os.listdir('.')\n    open('mine', 'w').close()\n    return found\n"
    folder = SharedFolder(control)
    for expected in ([], ["mine"]):
        with Box(control, LIMITS, folder.name) as box:
            box.load(source, PROBE)
            assert box.call("call", {"name": "f"}) == expected
    folder.close()
    with Box(control, LIMITS) as box:
        box.load("import os\n\ndef f():\n    return [os.listdir('.'), os.path.exists('/folders/x')]\n", PROBE)
        assert box.call("call", {"name": "f"}) == [[], False]


def test_a_box_that_ends_while_it_is_let_go_takes_nothing_down(judge: Judge, control: socket.socket) -> None:
    box = Box(control, LIMITS)
    box.load("import os\n\ndef f():\n    os._exit(0)\n", PROBE)
    parents = [pid for pid in below(judge._sandbox.process.pid) if "judge.sandbox.parent" in command_of(pid)]
    warm_parent = min(parents)  # the others are its boxes
    os.kill(warm_parent, signal.SIGSTOP)  # so that it hears of both at once
    with pytest.raises(client.BoxError):
        box.call("call", {"name": "f"})
    box.close()
    os.kill(warm_parent, signal.SIGCONT)
    with Box(control, LIMITS) as another:
        another.load("def f():\n    return 1\n", PROBE)
        assert another.call("call", {"name": "f"}) == 1


def test_no_warm_parent_is_no_box() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(client.NoBox):
        Box(ours, LIMITS)


def test_a_warm_parent_that_dies_meanwhile_is_no_box() -> None:
    ours, theirs = socket.socketpair()
    with ours, Box(ours, LIMITS) as box:
        _, fds, _, _ = socket.recv_fds(theirs, 4096, 3)
        theirs.close()
        for fd in fds:
            socket.close(fd)
        with pytest.raises(client.NoBox):
            box.load("", PROBE)


@pytest.mark.parametrize(
    "answer",
    [
        {"value": 1, "more": 2},
        {"values": 1},
        [],
        None,
        {"error": "text"},
        {"error": {"kind": "error", "types": [], "text": "", "traceback": ""}},
        {"error": {"kind": "error", "types": [1], "text": "", "traceback": ""}},
        {"error": {"kind": 1, "types": ["a"], "text": "", "traceback": ""}},
        {"error": {"kind": "error", "types": ["a"], "text": ""}},
        {"value": 1, "error": {}},
    ],
)
def test_what_is_no_answer_is_malformed(control: socket.socket, answer: object) -> None:
    forged = f"""
from judge import wire

encoded = wire.encode({answer!r})
wire.encode = lambda value: encoded
"""
    with Box(control, LIMITS) as box:
        box.load(forged, PROBE)
        with pytest.raises(client.Malformed):
            box.call("call", {"name": "f"})
