"""Where hidden suites run: pytest outside the wall. Theory of operation.

The *examiner* (`__main__.py`) is a trusted process that has imported torch and pytest. For each judging it forks an
*examination* (`examination.py`), which runs the exercise's hidden suite with pytest, writes events as JSON lines to
a pipe, and is gone.

A suite's `learner` is a `Subject` (`subject.py`) whose calls go over the wire into a box; `reference` is one that
runs the exercise's own solution right here. Both run the same probe and both answers pass through the same
encoding, so that they can be compared. When checks fail, the same check functions run again with each known mistake
as their learner (`judge.diagnose`).

A run of the chapter's code takes the same way without a suite (`running.py`): into a box, and out what it prints.

Trust: the suite, the probe, the reference and the mistakes are ours and run here. Learner code never does: all that
comes from it is data that `judge.wire` has read. The examination has no database and no secret beyond the exercise
itself.
"""
