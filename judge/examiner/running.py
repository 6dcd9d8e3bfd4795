"""Runs a reader's code in a box: what it prints goes out as it comes, and last how it ended."""

from __future__ import annotations

import codecs
import socket
import time
from collections.abc import Callable

from judge.examiner.check import MAX_TRACEBACK, explained
from judge.limits import Limits
from judge.run import BROKEN, Ended, Printed, Program
from judge.sandbox import client
from judge.sandbox.client import Box, BoxError
from judge.text import excerpt, visible
from judge.verdict import Message

PAUSE_S = 0.1  # between two looks at what has been printed: what a reader takes for at once


def run(program: Program, control: socket.socket, emit: Callable[[Printed | Ended], None]) -> None:
    """Run `program`; the last event is Ended. Nobody has seen a box that was killed before it printed: once more."""
    if not (_ran(program, control, emit) or _ran(program, control, emit)):
        emit(BROKEN)


def _ran(program: Program, control: socket.socket, emit: Callable[[Printed | Ended], None]) -> bool:
    """Run it in one box and emit all there is to tell; false, and nothing told, if the box was killed before."""
    began = time.perf_counter()
    message, traceback = None, ""
    with Box(control, program.limits) as box:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        told_bytes = 0
        room = program.limits.output_kib * 1024  # in characters: what is made visible becomes longer

        def tell(*, last: bool = False) -> None:
            nonlocal told_bytes, room
            new = bytes(box.output.data[told_bytes:])
            told_bytes += len(new)
            text = visible(decoder.decode(new, last))
            emit(Printed(text=text[: max(0, room)]))
            room -= len(text)
            if room < 0:
                raise client.TooMuchOutput

        try:
            for _ in box.run(program.files, list(program.blocks), PAUSE_S):
                tell()
        except BoxError as error:
            message = _explained(error, program.limits)
            traceback = excerpt(error.traceback, MAX_TRACEBACK) if isinstance(error, client.Raised) else ""
        except client.Killed:
            if told_bytes:
                emit(BROKEN)
            return told_bytes > 0
        box.close()  # what it has printed until now is then here
        try:
            tell(last=True)
        except client.TooMuchOutput as error:
            message = message or _explained(error, program.limits)
    duration_ms = (time.perf_counter() - began) * 1000
    emit(Ended(message=message, traceback=traceback, duration_ms=duration_ms))
    return True


def _explained(error: BoxError, limits: Limits) -> Message:
    """As for a solution, except where that speaks of an answer."""
    match error:
        case client.WallTimeout():
            template = "Stopped after {seconds:g} s. No run may take longer here."
            return Message(template=template, values={"seconds": limits.wall_s})
        case client.Died(status):
            return Message(template="Your code ended its process (exit status {status}).", values={"status": status})
        case client.Malformed():
            return Message(template="Your code disturbed the connection over which it is heard, and was stopped.")
        case _:
            return explained(error, limits)[1]
