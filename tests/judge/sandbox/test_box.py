"""What a box does when the examiner goes."""

import contextlib
import io
import os

from judge import wire
from judge.sandbox import box


def test_an_answer_that_nobody_waits_for_is_the_end() -> None:
    questions, asked = os.pipe()
    said, answers = os.pipe()
    os.close(said)
    with open(asked, "wb") as examiner:
        examiner.write(wire.encode({"name": "f", "arguments": {}}))
    with io.FileIO(questions) as asked_of_us, contextlib.suppress(BrokenPipeError), open(answers, "wb") as ours:
        # Returns; an error here would be printed among what the learner printed.
        box._serve(asked_of_us, ours, None, None)
        returned = True  # what is not written yet fails once more when it is closed
    assert returned
