"""How a check says what must be true, and what the learner reads when it is not."""

from __future__ import annotations

from judge.kit.compare import close
from judge.wire import Opaque

Scalar = str | int | float | bool | None


class Unmet(AssertionError):
    """An expectation was not met; `template` and `values` are the authored message."""

    def __init__(self, template: str, values: dict[str, Scalar]) -> None:
        super().__init__(template)
        self.template = template
        self.values = values


def expect(ok: bool, template: str, **values: Scalar) -> None:
    """Fail the check with an authored message unless `ok`. The message is `template.format(**values)`."""
    if not ok:
        raise Unmet(template, values)


def expect_close(
    got: object,
    expected: object,
    template: str,
    *,
    rtol: float = 1e-4,
    atol: float = 1e-6,
    equal_nan: bool = False,
    **values: Scalar,
) -> None:
    """Fail the check unless `got` is `expected` as `judge.kit.compare.close` says.

    The template may use `{got}` and `{expected}` where both are scalars.
    """
    if not close(got, expected, rtol=rtol, atol=atol, equal_nan=equal_nan):
        raise Unmet(template, {"got": _shown(got), "expected": _shown(expected), **values})


def _shown(value: object) -> Scalar:
    """A scalar as it is, anything else by its type: a message has no room for a whole tensor."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return value.type_name if isinstance(value, Opaque) else type(value).__name__
