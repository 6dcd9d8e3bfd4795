"""What the learner does not see. Each check is about one thing, and draws its inputs anew for each judging."""

import torch

from judge.kit import expect_close


def draw(rng):
    """Columns of very different sizes: (N, D)."""
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    x = torch.randn(rng.randint(5, 9), rng.randint(2, 4), generator=generator)
    sizes = torch.tensor([10.0 ** rng.uniform(-1, 2) for _ in range(x.shape[1])])
    return x * sizes + sizes


def test_columns(learner, reference, rng):
    """Each column has mean 0 and standard deviation 1"""
    x = draw(rng)
    got, expected = learner.standardised(x=x), reference.standardised(x=x)
    expect_close(
        got["answer"],
        expected["answer"],
        "The columns do not come out as they should. Subtract from each column its own mean and divide by its own standard "
        "deviation, the one that divides by N.",
    )


def test_leaves_the_input(learner, rng):
    """The input stays as it was"""
    x = draw(rng)
    got = learner.standardised(x=x)
    expect_close(got["input"], x, "`x` was changed in place. Whoever handed it over still needs it.")
