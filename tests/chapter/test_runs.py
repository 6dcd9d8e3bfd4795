"""Every block of the chapter, run as a reader runs it: behind the wall, within the limits, after what it builds on."""

from __future__ import annotations

import pytest

from chapter.read import LANGUAGES, read, section_names
from judge.grade import Judge
from judge.run import LIMITS, LIMITS_WITH_PROCESSES, Ended, Printed, Program

NAMES = [name for name in section_names("en") if read("en", name).blocks]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_block_prints_behind_the_wall_what_the_page_prints(judge: Judge, lang: str, name: str) -> None:
    for chain in read(lang, name).chains():
        for count, block in enumerate(chain, 1):
            blocks = chain[:count]
            limits = LIMITS_WITH_PROCESSES if any(block.workers for block in blocks) else LIMITS
            program = Program(blocks=tuple(block.code for block in blocks), limits=limits)
            *printed, ended = judge.run(program)
            assert "".join(event.text for event in printed if isinstance(event, Printed)) == block.output, block.code
            assert isinstance(ended, Ended)
            assert ended.message is None, f"{ended.message}\n{ended.traceback}"
            assert ended.duration_ms < LIMITS.wall_s * 1000
