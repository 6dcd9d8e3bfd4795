"""The warm examiner: `python -m judge.examiner CONTROL_FD SANDBOX_FD` forks an examination for each job.

Pytest is configured once, before any job, and stands still where it would collect tests: there it forks. A job arrives
on the control socket as one byte with two descriptors: a file that holds the job as JSON, and the pipe for its events.
A child is forked ahead and waits for it; its pytest goes on with the suite of the job. Where the job is a run, there is
no suite: the child runs it and is gone. When it has ended the next one is forked, not before: a fork keeps a processor
busy for as long as some checks take.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import select
import socket
import sys
import tempfile
import traceback
import warnings

import pytest
from pydantic import TypeAdapter

from judge import source as learner_source
from judge.examiner.examination import Examination, read
from judge.examiner.running import run
from judge.job import Job
from judge.run import Ended, Printed, Program
from judge.sandbox import lock
from judge.sandbox.warm import settle, touch, warm_up
from judge.temporary import locked_folder, remove
from judge.verdict import CheckEnded, FigureDrawn, Finished, Started

_TASKS: TypeAdapter[Job | Program] = TypeAdapter(Job | Program)
_MEMORY_BYTES = 4 * 2**30
# What a suite does not need: it takes most of pytest's time (unraisableexception collects garbage for 0.7 s).
_PLUGINS_OFF = (
    "cacheprovider",
    "unraisableexception",
    "threadexception",
    "faulthandler",
    "junitxml",
    "doctest",
    "logging",
    "warnings",
)
_ARGUMENTS = [
    f"--rootdir={os.path.dirname(__file__)}",
    f"-c{os.devnull}",
    "--noconftest",  # whatever lies where we were started is none of ours
    "--import-mode=importlib",
    "--assert=plain",
    "--capture=no",
    "-q",
    "--no-header",
    "--no-summary",
    *(f"-pno:{name}" for name in _PLUGINS_OFF),
]


class Examiner:
    """A pytest plugin that forks where tests are collected; what comes out of `pytest_collection` is a child."""

    examination: Examination | None = None

    def __init__(self, control: socket.socket, sandbox: socket.socket) -> None:
        self._control = control
        self._sandbox = sandbox

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        folder, folder_lock = locked_folder("five-lines-examiner-")
        tempfile.tempdir = str(folder)  # also of examinations, which may be killed at any moment
        sys.pycache_prefix = str(folder / "compiled")  # suites are compiled once, beside no exercise
        settle()
        self._control.sendall(b"ready")
        while True:
            pipe, childs_end = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(pipe)
                self._examine_next(session)
                return True
            os.close(childs_end)
            if not self._outlives(pipe):
                remove(folder, folder_lock)
                os._exit(0)
            os.waitpid(pid, 0)
            os.close(pipe)

    def _outlives(self, pipe: int) -> bool:
        """Wait for the end of a child, which closes its end of the pipe. False if the judge has gone by then."""
        either = select.poll()
        either.register(pipe, select.POLLIN)
        either.register(self._control, 0)  # nothing but its end
        return all(fd == pipe for fd, _ in either.poll())

    def _examine_next(self, session: pytest.Session) -> None:
        """Wait for a job, and collect its checks or run the reader's code."""
        touch()
        data, fds, _, _ = socket.recv_fds(self._control, 1, 2)
        if not data:
            os._exit(0)
        job, events = _taken(*fds)

        def emit(event: Started | CheckEnded | FigureDrawn | Finished | Printed | Ended) -> None:
            print(event.model_dump_json(), file=events)

        # Should this process die while it reads the learner's file, the judge knows where it was.
        print(json.dumps({"reading": os.getpid()}), file=events)
        if isinstance(job, Program):
            run(job, self._sandbox, emit)
            os._exit(0)
        try:
            read(job)
        except learner_source.Rejected as rejected:
            emit(Finished(verdict=job.rejected(rejected)))
            os._exit(0)
        print(json.dumps({"reading": None}), file=events)
        self.examination = Examination(job, self._sandbox, emit)
        self.examination.collect(session)

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Run a check, and nothing else: it is given all it asks for, so there is nothing to set up or to tear down."""
        item.runtest()
        return True


def _taken(job_fd: int, events_fd: int) -> tuple[Job | Program, io.TextIOWrapper]:
    """The job that was handed over, and where its events go."""
    with open(job_fd, encoding="utf-8") as file:
        file.seek(0)
        job = _TASKS.validate_json(file.read())
    # Pytest and our own programs print and warn; nobody is to read that.
    warnings.simplefilter("ignore")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    if isinstance(job, Program) or job.device == "cpu":
        _bound_memory()
    return job, open(events_fd, "w", encoding="utf-8", buffering=1)


def _bound_memory() -> None:
    """A suite that an answer leads astray runs out of memory by itself, before the machine does."""
    if sys.platform == "linux":
        limit = lock.mapped().all + _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    control_fd, sandbox_fd = map(int, sys.argv[1:])
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    warm_up()
    examiner = Examiner(socket.socket(fileno=control_fd), socket.socket(fileno=sandbox_fd))
    status = 1
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            pytest.main(_ARGUMENTS, plugins=[examiner])
        if examiner.examination is not None:
            examiner.examination.finish(printed.getvalue())
        status = 0
    except BrokenPipeError:  # nobody waits for the events any more
        pass
    except BaseException:
        traceback.print_exc()
    finally:  # a child's descriptors are its parent's too: nothing is to be tidied up
        os._exit(status)


if __name__ == "__main__":
    main()
