"""Toys come from their seed alone."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from judge.kit.toys import Batches, classification, mlp, regression, seed_dropout, state, steps_freely


def test_batches_have_the_sizes_asked_for_and_repeat_with_the_seed() -> None:
    for make in (regression, classification):
        batches, again, other = make(1, [4, 4, 3]), make(1, [4, 4, 3]), make(2, [4, 4, 3])
        assert [len(x) for x, _ in batches] == [len(y) for _, y in batches] == [4, 4, 3]
        assert all(torch.equal(a[0], b[0]) and torch.equal(a[1], b[1]) for a, b in zip(batches, again, strict=True))
        assert not torch.equal(batches[0][0], other[0][0])


def test_scales_take_turns() -> None:
    wide, narrow, _ = (y.std().item() for _, y in regression(1, [200, 200, 3], scales=[10.0, 0.1]))
    assert wide > 30 * narrow


def test_models_come_from_the_seed_and_leave_the_random_state_alone() -> None:
    before = torch.get_rng_state()
    models = [mlp(1, 3, 4, 2, dropout=0.5, batch_norm=True) for _ in range(2)]
    assert torch.equal(torch.get_rng_state(), before)
    first, second = (list(model.parameters()) for model in models)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert [type(layer) for layer in models[0]] == [nn.Linear, nn.BatchNorm1d, nn.Tanh, nn.Dropout, nn.Linear]
    assert models[0][0].bias is None


def test_dropout_draws_repeat_with_the_seed() -> None:
    draws = []
    for _ in range(2):
        seed_dropout(3, "cpu")
        draws.append(nn.functional.dropout(torch.ones(20)))
    assert torch.equal(*draws)


def test_batches_are_iterable_again_and_nothing_more() -> None:
    loader = Batches(regression(1, [2, 2]))
    assert len(list(loader)) == len(list(loader)) == 2
    with pytest.raises(TypeError):
        len(loader)  # type: ignore[arg-type]


def test_state_is_a_copy_of_all_that_training_leaves() -> None:
    model = mlp(1, 3, 4, 1, batch_norm=True)
    optimizer = torch.optim.Adam(model.parameters())
    x, y = regression(1, [5])[0]
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
    left = state(model, optimizer)
    assert left["optimizer"]["0.weight"].keys() == {"step", "exp_avg", "exp_avg_sq"}  # type: ignore[index]
    assert "1.running_mean" in left["buffers"]  # type: ignore[operator]
    copied = left["weights"]["0.weight"].clone()  # type: ignore[index]
    with torch.no_grad():
        model[0].weight.zero_()
    assert torch.equal(left["weights"]["0.weight"], copied)  # type: ignore[index]


def test_a_hook_left_on_the_optimizer_is_seen() -> None:
    for free in (True, False):
        model = mlp(1, 3, 4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        if not free:
            optimizer.register_step_pre_hook(lambda *_, model=model: nn.utils.clip_grad_value_(model.parameters(), 1.0))
        assert steps_freely(model, optimizer) == free
