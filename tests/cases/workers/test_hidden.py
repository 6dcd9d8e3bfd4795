import torch

from judge.kit import expect_close


def draw(rng):
    return torch.tensor([rng.uniform(1, 2) for _ in range(rng.randint(2, 6))])


def test_answer(learner, reference, rng):
    """The answer is the sum"""
    x = draw(rng)
    expect_close(learner.answer(x=x), reference.answer(x=x), "The sum is {expected:.4f}, your answer {got:.4f}.")


def test_answers(learner, reference, rng, figure):
    """Again and again, in a new process too"""
    for _ in range(2):
        xs = [draw(rng) for _ in range(3)]
        got, expected = learner.answers(xs=xs), reference.answers(xs=xs)
        figure("answers", got=got["answers"], expected=expected["answers"], events=got["events"])
        expect_close(got["answers"], expected["answers"], "One of the sums is wrong; yours: {shown}.", shown=str(got))
        learner.restart()
