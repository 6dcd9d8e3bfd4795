from __future__ import annotations

import pytest
import torch

from judge.kit import Unmet, expect, expect_close


def unmet(*arguments: object, **values: object) -> Unmet:
    with pytest.raises(Unmet) as caught:
        expect_close(*arguments, **values)  # type: ignore[arg-type]
    return caught.value


def test_met_expectations_say_nothing() -> None:
    expect(True, "never shown")
    expect_close([1.0], [1.00001], "never shown")


def test_an_unmet_expectation_carries_template_and_values() -> None:
    with pytest.raises(Unmet) as caught:
        expect(False, "{count} of {whole}", count=1, whole="two")
    assert caught.value.template == "{count} of {whole}"
    assert caught.value.values == {"count": 1, "whole": "two"}


def test_scalars_are_shown_and_the_rest_by_its_type() -> None:
    assert unmet(1.5, 2, "{got}").values == {"got": 1.5, "expected": 2}
    assert unmet(torch.ones(2), [1.0], "{got}").values == {"got": "Tensor", "expected": "list"}
    assert unmet(None, "a", "{got}").values == {"got": None, "expected": "a"}


def test_nan_never_counts_as_an_answer() -> None:
    unmet(torch.tensor([float("nan")]), torch.tensor([1.0]), "")
    unmet(float("nan"), float("nan"), "")
    expect_close(float("nan"), float("nan"), "", equal_nan=True)
