"""What hidden suites and probes may use. Probes run inside a box, so nothing here is secret.

Suites say what must be true with `expect` and `expect_close`; probes catch what a solution raises with `raised`.
"""

from judge.kit.compare import close
from judge.kit.expect import Unmet, expect, expect_close
from judge.kit.outcome import raised

__all__ = ["Unmet", "close", "expect", "expect_close", "raised"]
