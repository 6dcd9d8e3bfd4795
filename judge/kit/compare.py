"""When two pieces of plain data count as the same answer."""

from __future__ import annotations

import torch


def close(
    got: object,
    expected: object,
    *,
    rtol: float = 1e-4,
    atol: float = 1e-6,
    equal_nan: bool = False,
) -> bool:
    """Whether `got` is `expected`, floats within `atol + rtol * |expected|`.

    Tensors must agree in dtype, shape and value. Lists, tuples and dicts must agree in kind, length and keys. An int
    counts as a float of the same value; a bool never counts as a number, a tensor never as a float. NaN equals
    nothing, or with `equal_nan` only NaN in the same place. Anything else is compared by its type and `==`.
    """
    if isinstance(expected, torch.Tensor):
        return isinstance(got, torch.Tensor) and _close_tensors(got, expected, rtol, atol, equal_nan)
    if _is_number(expected) and _is_number(got):
        if isinstance(expected, int) and isinstance(got, int):
            return got == expected
        return _close_numbers(float(got), float(expected), rtol, atol, equal_nan)  # type: ignore[arg-type]
    if type(got) is not type(expected):
        return False
    if isinstance(expected, (list, tuple)):
        assert isinstance(got, (list, tuple))
        return len(got) == len(expected) and all(
            close(g, e, rtol=rtol, atol=atol, equal_nan=equal_nan) for g, e in zip(got, expected, strict=True)
        )
    if isinstance(expected, dict):
        assert isinstance(got, dict)
        return got.keys() == expected.keys() and all(
            close(got[key], expected[key], rtol=rtol, atol=atol, equal_nan=equal_nan) for key in expected
        )
    return got == expected


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _close_numbers(got: float, expected: float, rtol: float, atol: float, equal_nan: bool) -> bool:
    if got != got or expected != expected:
        return equal_nan and got != got and expected != expected
    if got == expected:  # infinities of one sign
        return True
    return abs(got - expected) <= atol + rtol * abs(expected) < float("inf")


def _close_tensors(got: torch.Tensor, expected: torch.Tensor, rtol: float, atol: float, equal_nan: bool) -> bool:
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if not (got.is_floating_point() or got.is_complex()):
        return torch.equal(got, expected)
    return torch.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
