import torch

from judge.kit import expect, expect_close


def test_scale(learner, reference, rng, figure):
    """`scale` multiplies every element"""
    arguments = {"x": torch.tensor([rng.uniform(1, 2) for _ in range(rng.randint(2, 6))]), "factor": rng.uniform(4, 5)}
    got, expected = learner.scale(**arguments)["result"], reference.scale(**arguments)["result"]
    figure("values", got=got.tolist() if isinstance(got, torch.Tensor) else got, expected=expected.tolist())
    expect_close(got, expected, "`scale` must multiply by {factor:.3f}; yours returned {got}.", factor=arguments["factor"])


def test_keeps_input(learner, rng):
    """`scale` leaves its input alone"""
    x = torch.tensor([rng.uniform(1, 2) for _ in range(4)])
    after = learner.scale(x=x, factor=rng.uniform(4, 5))["x"]
    expect_close(after, x, "After `scale` its input is another.")


def test_mean(learner, reference, rng):
    """`mean` is the mean"""
    values = [rng.uniform(1, 9) for _ in range(rng.randint(2, 9))]
    expect_close(
        learner.mean(values=values), reference.mean(values=values), "The mean is {expected:.4f}, yours is {got:.4f}."
    )


def test_mean_of_nothing(learner):
    """Nothing has no mean"""
    expect("ValueError" in learner.mean_of_nothing(), "`mean([])` must raise ValueError.")


def test_total(learner, reference, rng):
    """`total` adds everything up, in order"""
    items = [rng.randint(1, 10**6) for _ in range(rng.randint(4, 9))]
    got, expected = learner.total(items=items), reference.total(items=items)
    expect(got["result"] == expected["result"], "The total is {total}.", total=expected["result"])
    expect(got["events"] == expected["events"], "`total` must read in order.")
