from __future__ import annotations

import pytest

from judge.kit import raised


class _OwnError(ValueError):
    pass


def _raise(error: BaseException) -> None:
    raise error


def test_names_from_the_most_derived_class_up() -> None:
    assert raised(lambda: _raise(_OwnError())) == ["_OwnError", "ValueError", "Exception", "BaseException"]


def test_nothing_raised_is_an_empty_list() -> None:
    assert raised(lambda: 1) == []


def test_what_ends_the_process_is_not_caught() -> None:
    with pytest.raises(SystemExit):
        raised(lambda: _raise(SystemExit(0)))
