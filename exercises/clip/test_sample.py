"""The examples of the statement."""

from judge.kit import expect_close

NAN = float("nan")


def test_norms_of_the_example(learner):
    """The example's three norms are 5, 13 and 0.0625"""
    got = learner.worked_example()
    expect_close(
        got["norms"],
        [5.0, 13.0, 0.0625],
        "The three norms are not 5, 13 and 0.0625. By hand: the gradients (3, 4), (12, 5) and, at the first batch "
        "again, (-0.0375, -0.05), each with its length.",
        atol=1e-4,
    )


def test_weights_of_the_example(learner):
    """The example's weight ends at -0.49625 and its bias at -0.895"""
    got = learner.worked_example()
    expect_close(
        got["weights"],
        [-0.49625, -0.895],
        "The weight and the bias do not end at -0.49625 and -0.895. Each step is the rate, 0.1, times the whole "
        "gradient.",
        atol=1e-4,
    )


def test_threshold_of_the_example(learner):
    """The threshold of the seven norms is 4.5"""
    calls = [{"by_position": [[9.0, 7.0, 8.0, 2.0, 4.0, NAN, 3.0]], "by_name": {}}]
    got = learner.ask(name="choose_threshold", calls=calls)["answers"]
    expect_close(
        got, [4.5], "From index 3 on the finite norms are 2, 4 and 3; their median is 3, and 1.5 times that is 4.5."
    )


def test_share_of_the_example(learner):
    """Of the seven norms 4 are clipped at 4.5, and of [1, 2, 2, 3] one at 2"""
    runs = [([9.0, 7.0, 8.0, 2.0, 4.0, NAN, 3.0], 4.5), ([1.0, 2.0, 2.0, 3.0], 2.0)]
    calls = [{"by_position": list(run), "by_name": {}} for run in runs]
    got = learner.ask(name="clipped_share", calls=calls)["answers"]
    expect_close(
        got, [4 / 7, 0.25], "9, 7, 8 and NaN are clipped, that is 4 of 7; and of the four norms only 3 is above 2.0."
    )


def test_spikes_of_the_example(learner):
    """The spikes of the example are steps 3 and 5"""
    calls = [{"by_position": [[1.0, 2.0, 1.5, 6.0, 1.0, NAN, 2.0], 3, 3.0], "by_name": {}}]
    got = learner.ask(name="spikes", calls=calls)["answers"]
    expect_close(
        got,
        [[3, 5]],
        "Step 3 has 6.0, more than three times the median of 1.0, 2.0 and 1.5. Step 5 is NaN. Step 6 has 2.0, and the "
        "finite norms before it are 6.0 and 1.0.",
    )
