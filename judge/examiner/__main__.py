"""The warm examiner: `python -m judge.examiner CONTROL_FD SANDBOX_FD` forks an examination for each job.

A job arrives on the control socket as one byte with two descriptors: a file that holds the job as JSON, and the
pipe for its events. One child is always forked ahead and waits for it; when it has taken a job, the next is forked.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import sys
import traceback

from judge.examiner.examination import examine
from judge.job import Job
from judge.sandbox import lock
from judge.sandbox.warm import warm_up

_MEMORY_BYTES = 4 * 2**30


def main() -> None:
    control_fd, sandbox_fd = map(int, sys.argv[1:])
    control, sandbox = socket.socket(fileno=control_fd), socket.socket(fileno=sandbox_fd)
    warm_up()
    control.sendall(b"ready")
    while _fork_examination(control, sandbox):
        _reap()


def _fork_examination(control: socket.socket, sandbox: socket.socket) -> bool:
    """Fork one examination and wait until it has taken a job; False when there are no more."""
    taken_reader, taken_writer = os.pipe()
    if os.fork() == 0:
        os.close(taken_reader)
        status = 1
        try:
            _wait_for_job(control, sandbox, taken_writer)
            status = 0
        except BrokenPipeError:  # nobody waits for the events any more
            pass
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(taken_writer)
    taken = os.read(taken_reader, 1)
    os.close(taken_reader)
    return bool(taken)


def _wait_for_job(control: socket.socket, sandbox: socket.socket, taken: int) -> None:
    data, fds, _, _ = socket.recv_fds(control, 1, 2)
    if not data:
        return
    os.write(taken, b"x")
    os.close(taken)
    job_fd, events_fd = fds
    with open(job_fd, encoding="utf-8") as file:
        file.seek(0)
        job = Job.model_validate_json(file.read())
    # Pytest and our own programs print; nobody is to read that.
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    if job.device == "cpu":
        _bound_memory()
    with open(events_fd, "w", encoding="utf-8", buffering=1) as events:
        # Should reading the learner's file kill this process, the judge knows that it was the file.
        print(json.dumps({"reading": os.getpid()}), file=events)
        examine(
            job,
            sandbox,
            emit=lambda event: print(event.model_dump_json(), file=events),
            after_reading=lambda: print(json.dumps({"reading": None}), file=events),
        )


def _bound_memory() -> None:
    """A suite that an answer leads astray runs out of memory by itself, before the machine does."""
    if sys.platform == "linux":
        limit = lock.address_space_bytes() + _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main()
