# Raises what makes pytest skip a test.
# verdict: error
# says: Your code raised Skipped: not today

import _pytest.outcomes


def answer(x):
    raise _pytest.outcomes.Skipped("not today", allow_module_level=True)
