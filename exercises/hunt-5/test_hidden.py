"""The repaired run, judged by its log, by the weights it leaves and by the graphs that it keeps in memory.

Tolerances. Right programs differ in rounding alone: less than 1e-5 of a weight or a loss. Mistakes change the log by a
hundredth and more.
"""

import torch

from judge.kit import expect, expect_close

CLOSE = {"rtol": 1e-3, "atol": 2e-5}


def draw(rng, device, **wanted):
    """A short run with a last batch of another size and losses that differ from batch to batch."""
    full = rng.randint(5, 8)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "task": "regression",
        "sizes": [full] * 3 + [rng.randint(2, full - 2)],
        "scales": [0.5, 3.0, 1.0],
        "hidden": rng.randint(4, 6),
        "dropout": 0.0,
        "batch_norm": False,
        "optimizer": "sgd",
        "lr": rng.uniform(0.02, 0.04),
        "momentum": rng.uniform(0.3, 0.6),
        "weight_decay": 0.0,
        "beta": rng.uniform(0.6, 0.8),
        "epochs": 2,
        "arrives": "train",
        **wanted,
    }


def numbers(returned):
    """The log as numbers, also where they came back as tensors: that is another check's business."""
    if not isinstance(returned, list):
        return returned
    return [float(value) if isinstance(value, torch.Tensor) and value.numel() == 1 else value for value in returned]


def test_memory_does_not_grow(learner, rng, device, figure, evidence):
    """No graph of an earlier step is in memory while the run goes on"""
    setup = draw(rng, device, sizes=[3] * 6, epochs=2)
    got = learner.train(setup=setup)
    # The loss and outputs of the step just made may still have a name. What is older than that is kept.
    kept = got["most_graphs"] > 3 or got["graphs_at_the_last_batch"] > 1
    graphs = max(got["most_graphs"], got["graphs_at_the_last_batch"])
    evidence(kept=kept)
    figure(
        "lines",
        series=[{"label": "graphs in memory", "values": [0, graphs]}],
        x_label="step",
        y_label="graphs",
    )
    expect(
        not kept,
        "At the last of {steps} steps the graphs of {graphs} earlier ones were still in memory. Something that is carried "
        "from step to step refers to them.",
        steps=setup["epochs"] * len(setup["sizes"]),
        graphs=graphs,
    )


def test_no_graph_outlives_the_run(learner, rng, device, evidence):
    """What comes back keeps no graph alive"""
    got = learner.train(setup=draw(rng, device, sizes=[4, 4], epochs=1))
    evidence(left=got["graphs_left"] > 0)
    expect(
        got["graphs_left"] == 0,
        "After the run {graphs} graphs are still in memory: what came back, or something else that lives on, refers to them.",
        graphs=got["graphs_left"],
    )


def test_log_has_floats(learner, rng, device, evidence):
    """The log is a list of Python floats, one for each step"""
    setup = draw(rng, device)
    got = learner.train(setup=setup)["returned"]
    steps = setup["epochs"] * len(setup["sizes"])
    kinds = [type(value).__name__ for value in got] if isinstance(got, list) else type(got).__name__
    evidence(kinds=kinds)
    expect(
        kinds == ["float"] * steps,
        "`train` must return a list of {steps} Python floats, one for each step.",
        steps=steps,
    )


def test_log_is_the_running_average(learner, reference, rng, device, figure, evidence):
    """The log is the running average of the losses, over the whole run; beta is 0.9 unless given"""
    setups = [draw(rng, device, epochs=3), draw(rng, device, beta=None)]
    got = [numbers(learner.train(setup=setup)["returned"]) for setup in setups]
    evidence(log=got)
    expected = [numbers(reference.train(setup=setup)["returned"]) for setup in setups]
    figure(
        "lines",
        series=[{"label": "running average", "values": got[0]}],
        x_label="step",
        y_label="loss",
    )
    expect_close(
        got,
        expected,
        "The log is not the running average of the losses. It begins with the first loss; then each step keeps beta of the "
        "average and takes 1 - beta of the new loss, across the ends of epochs too.",
        rtol=2e-3,
        atol=1e-4,
    )


def test_training_is_as_before(learner, reference, rng, device, evidence):
    """Training itself is what it was"""
    setup = draw(
        rng, device, task="classification", dropout=rng.uniform(0.2, 0.4), batch_norm=True, hidden=7, arrives="eval"
    )
    got = learner.train(setup=setup)
    left = {part: got[part] for part in ("weights", "buffers", "optimizer")}
    evidence(**left)
    expected = reference.train(setup=setup)
    expect_close(
        left,
        {part: expected[part] for part in left},
        "The weights or batch norm's statistics are not what one forward pass in training mode and one step for each batch "
        "leave. That part of the script was right.",
        **CLOSE,
    )


def test_leaves_everything_else_alone(learner, reference, rng, device, evidence):
    """Batches, settings and random streams are left as they were"""
    setup = draw(rng, device)
    got = learner.surroundings(setup=setup)
    evidence(**got)
    expect_close(
        got,
        reference.surroundings(setup=setup),
        "A batch, a learning rate or a random stream is not as the run should leave it. Nothing of that was broken.",
    )
