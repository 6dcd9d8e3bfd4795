"""What must come back from a checkpoint, when it is written, and that it is always whole.

Tolerances. A resumed run is held against the same program's run that was never stopped, and against nothing but equal
bits: one program makes the same operations on the same numbers in both. What training itself must be is held against
the reference's within 1e-3: right programs differ in the rounding of a few sums only, mistakes move weights by a
hundredth and more.

Whatever a checkpoint may bring back is either what was saved, or what the new objects came with, or neither. Which one
it is tells mistakes apart, whatever constants they use.
"""

from judge.kit import close, expect, expect_close

TRAINED = {"rtol": 1e-3, "atol": 2e-5}
WEIGHTS = ("weights", "buffers")


# --- Runs ------------------------------------------------------------------------------------------------------------


def draw(rng, device, **wanted):
    """A small run with dropout, batch norm, two groups of parameters and a last batch of another size."""
    size, epochs = rng.randint(4, 6), rng.randint(4, 5)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "lives": rng.sample(range(2**31 - 1), 3),
        "samples": 2 * size + rng.randint(2, size - 1),
        "batch": size,
        "hidden": rng.randint(4, 6),
        "dropout": rng.uniform(0.2, 0.4),
        "batch_norm": True,
        "frozen": rng.random() < 0.3,
        "optimizer": rng.choice(["adam", "sgd"]),
        "lr": rng.uniform(0.02, 0.04),
        "head_lr": rng.uniform(0.05, 0.08),
        "momentum": rng.uniform(0.7, 0.9),
        "scheduler": rng.choice(["cosine", "power"]),
        "power": rng.uniform(0.3, 0.7),
        "epochs": epochs,
        "stop": rng.randint(2, epochs - 2),
        **wanted,
    }


def identical(got, expected):
    return close(got, expected, rtol=0, atol=0, equal_nan=True)


def origin(answer, part, of=None):
    """Where what the loaded objects hold comes from."""
    loaded, saved, fresh = (answer[when][part] for when in ("loaded", "saved", "fresh"))
    if of is not None:
        loaded, saved, fresh = (held.get(of) for held in (loaded, saved, fresh))
    if identical(loaded, saved):
        return "saved"
    return "fresh" if identical(loaded, fresh) else "neither"


def expect_back(answer, part, message):
    expect(origin(answer, part) == "saved", message)


def expect_ran(answer):
    """`fit` returned a list at all."""
    expect(
        isinstance(answer["losses"], list),
        "`fit` returned a {kind}. It has to return the list of the mean losses of the epochs that it ran.",
        kind=kind_of(answer["losses"]),
    )


def kind_of(value):
    return getattr(value, "type_name", type(value).__name__)


def numbers(values):
    """A list of losses as the page can draw it."""
    return [value if isinstance(value, (int, float)) else None for value in values] if isinstance(values, list) else []


# --- Training --------------------------------------------------------------------------------------------------------


def test_trains(learner, reference, rng, device, evidence):
    """Never stopped, `fit` makes one update a batch and steps the scheduler once an epoch"""
    setup = draw(rng, device)
    got, expected = learner.straight(setup=setup), reference.straight(setup=setup)
    draws = [[epoch["dropout"] for epoch in run["epochs"]] for run in (got, expected)]
    same_draws = draws[0][: len(draws[1])] == draws[1][: len(draws[0])]
    rates = [epoch["rates"] for epoch in got["epochs"]]
    facts = {"trained": len(rates), "rates": rates, "same_draws": same_draws, "training": got["training"]}
    evidence(**facts, **({part: got["end"][part] for part in (*WEIGHTS, "optimizer")} if same_draws else {}))
    expect(
        len(rates) == setup["epochs"],
        "Without a checkpoint `fit` has to train {expected} epochs for `epochs={expected}`, from the first one on. "
        "It went through the loader {got} times.",
        expected=setup["epochs"],
        got=len(rates),
    )
    for epoch, (rate, right) in enumerate(zip(rates, (epoch["rates"] for epoch in expected["epochs"]), strict=True)):
        expect_close(
            rate[0],
            right[0],
            "In epoch {epoch} of a run never stopped the learning rate was {got:.6g}, and the schedule asks for "
            "{expected:.6g}. The scheduler is stepped once at the end of each epoch.",
            epoch=epoch,
        )
    expect(
        same_draws,
        "The random numbers that dropout draws are not those that the run began with. `fit` must not seed anything: "
        "a run has one stream of random numbers from its start to its end.",
    )
    expect_close(
        [got["end"][part] for part in (*WEIGHTS, "optimizer")],
        [expected["end"][part] for part in (*WEIGHTS, "optimizer")],
        "A run never stopped does not end with the weights it should. Each batch takes one forward pass in training "
        "mode, its own gradients and one step of the optimizer.",
        **TRAINED,
    )
    expect_close(
        [got["end"]["rates"], got["end"]["scheduler"]],
        [expected["end"]["rates"], expected["end"]["scheduler"]],
        "After {epochs} epochs the scheduler has to have been stepped {epochs} times. It is in another place.",
        epochs=setup["epochs"],
    )


def test_losses(learner, reference, rng, device, evidence):
    """`fit` returns the mean loss per sample of each epoch it ran, as Python floats"""
    setup = draw(rng, device, dropout=0.0, batch_norm=False)
    got, expected = learner.straight(setup=setup)["losses"], reference.straight(setup=setup)["losses"]
    evidence(losses=got)
    expect_ran({"losses": got})
    wrong = next((loss for loss in got if not isinstance(loss, float)), 0.0)
    expect(
        isinstance(wrong, float),
        "There is a {kind} among the losses that `fit` returned. Each must be a Python float.",
        kind=kind_of(wrong),
    )
    expect(
        len(got) == len(expected),
        "`fit` ran {expected} epochs and returned {got} losses. It has to return one for each.",
        got=len(got),
        expected=len(expected),
    )
    for epoch, (loss, right) in enumerate(zip(got, expected, strict=True)):
        expect_close(
            loss,
            right,
            "The mean loss per sample of epoch {epoch} is {expected:.6g}, and `fit` returned {got:.6g}. The last "
            "batch is smaller than the others: each batch counts as many times as it has samples.",
            epoch=epoch,
            **TRAINED,
        )


# --- What comes back -------------------------------------------------------------------------------------------------


def test_model_comes_back(learner, rng, device, evidence):
    """Loading brings back the weights and the buffers, into the model that is there"""
    got = learner.revived(setup=draw(rng, device))
    evidence(weights=origin(got, "weights"), buffers=origin(got, "buffers"), same_objects=got["same_objects"])
    expect_back(got, "weights", "The new model does not hold the weights that were saved.")
    expect_back(
        got,
        "buffers",
        "The new model has the weights that were saved, but not the buffers: batch norm's running statistics are in "
        "the `state_dict` too.",
    )
    expect(
        got["same_objects"],
        "Loading has put other objects in place of the model's parameters. The optimizer still holds the old ones "
        "and would train what nobody uses. Copy into what is there.",
    )


def test_training_mode(learner, rng, device, evidence):
    """Saving and loading leave the model in training mode"""
    got = learner.revived(setup=draw(rng, device))
    modes = {when: all(got[when]) for when in ("modes_after_save", "modes")}
    evidence(**modes)
    expect(
        modes["modes"],
        "The model came to `load_checkpoint` in training mode and was in eval mode afterwards. Training goes on from "
        "here: without dropout, and with batch norm's statistics frozen, it would be another run.",
    )
    expect(
        modes["modes_after_save"],
        "The model came to `save_checkpoint` in training mode and was in eval mode afterwards. Saving changes "
        "nothing: the next epoch trains on.",
    )


def test_optimizer_comes_back(learner, rng, device, evidence):
    """Loading brings back the optimizer's moments and its rates"""
    got = learner.revived(setup=draw(rng, device))
    evidence(optimizer=origin(got, "optimizer"), rates=origin(got, "rates"))
    expect_back(
        got,
        "optimizer",
        "The new optimizer does not hold the state that was saved: momentum, or Adam's moments and step counts, are "
        "lost, and the next steps are those of a beginning.",
    )
    expect(
        origin(got, "rates") == "saved",
        "The optimizer's learning rate was {expected:.6g} when it was saved, and after loading it is {got:.6g}.",
        expected=got["saved"]["rates"][0],
        got=got["loaded"]["rates"][0],
    )


def test_scheduler_comes_back(learner, rng, device, evidence):
    """Loading brings back the scheduler's place in its schedule"""
    got = learner.revived(setup=draw(rng, device))
    evidence(scheduler=origin(got, "scheduler"))
    expect(
        origin(got, "scheduler") == "saved",
        "The scheduler had been stepped {expected} times when it was saved, and after loading it stands at {got}.",
        expected=got["saved"]["scheduler"]["epoch"],
        got=got["loaded"]["scheduler"]["epoch"],
    )


def test_order_comes_back(learner, rng, device, evidence):
    """Loading brings back the state of the generator that shuffles"""
    got = learner.revived(setup=draw(rng, device))
    place = origin(got, "order")
    evidence(order=place)
    expect(
        place != "fresh",
        "The new generator is where it was before loading: the next epochs would see the samples in another order. "
        "Its state belongs in the file (`get_state`) and back into the generator (`set_state`).",
    )
    expect(
        place == "saved",
        "After loading the generator is neither where it was saved nor where it was before. Seeding it again begins "
        "the orders anew; bring back its state with `set_state`.",
    )


def test_dropout_comes_back(learner, rng, device, evidence):
    """Loading brings back torch's global stream of random numbers, which dropout draws from"""
    got = learner.revived(setup=draw(rng, device))
    place = origin(got, "dropout")
    evidence(dropout=place)
    expect(
        place != "fresh",
        "torch's global random state is what it was before loading: dropout would draw other masks than in a run "
        "never stopped. Save `torch.get_rng_state()` too, and bring it back with `torch.set_rng_state`.",
    )
    expect(
        place == "saved",
        "After loading torch's global random state is neither what was saved nor what it was before: something "
        "seeded it. A seed begins the stream anew; what has to come back is its state.",
    )


def test_next_epoch(learner, rng, device, evidence):
    """Loading returns the epoch after the one that was saved"""
    finished = [0, rng.randint(1, 4), rng.randint(5, 60)]
    got = learner.next_epochs(setup=draw(rng, device), epochs=finished)
    evidence(next=got)
    for epoch, answer in zip(finished, got, strict=True):
        expect(
            type(answer) is int,
            "`load_checkpoint` returned a {kind}. It has to return the number of the next epoch, an int.",
            kind=kind_of(answer),
        )
        expect_close(
            answer,
            epoch + 1,
            "Epoch {epoch} was finished when the checkpoint was saved. `load_checkpoint` has to return {expected}, "
            "the next one to run, and it returned {got}.",
            epoch=epoch,
        )


# --- Going on --------------------------------------------------------------------------------------------------------


def test_goes_on(learner, rng, device, evidence, figure):
    """Stopped and called again with new objects, `fit` ends as if it had never been stopped, bit for bit"""
    epochs = rng.randint(6, 8)
    setup = draw(rng, device, epochs=epochs, stop=rng.randint(2, epochs - 3))
    once, twice = learner.straight(setup=setup), learner.stopped(setup=setup)
    first, second = twice["first"], twice["second"]
    draw_curves(figure, setup["stop"], once, first, second)
    stop = setup["stop"]
    again = {
        key: all(
            identical(epoch[key], right[key])
            for epoch, right in zip(second["epochs"], once["epochs"][stop:], strict=False)
        )
        for key in ("order", "dropout", "rates")
    }
    ends = {part: identical(second["end"][part], once["end"][part]) for part in once["end"]}
    evidence(
        first=len(first["epochs"]),
        second=len(second["epochs"]),
        returned=len(second["losses"]) if isinstance(second["losses"], list) else None,
        again=again,
        ends=ends,
    )
    expect(
        len(first["epochs"]) == stop,
        "For `epochs={stop}` `fit` has to train {stop} epochs, and it went through the loader {got} times.",
        stop=stop,
        got=len(first["epochs"]),
    )
    expect(
        len(second["epochs"]) == epochs - stop,
        "{stop} epochs were finished and saved. Called again with `epochs={epochs}`, `fit` has to run the other "
        "{expected}, and it ran {got}.",
        stop=stop,
        epochs=epochs,
        expected=epochs - stop,
        got=len(second["epochs"]),
    )
    expect(again["order"], "After going on, the epochs see the samples in another order than in a run never stopped.")
    expect(again["dropout"], "After going on, dropout draws other numbers than in a run never stopped.")
    expect(
        again["rates"],
        "After going on, the epochs are trained with other learning rates than in a run never stopped: "
        "{got} instead of {expected}.",
        got=shown([epoch["rates"][0] for epoch in second["epochs"]]),
        expected=shown([epoch["rates"][0] for epoch in once["epochs"][stop:]]),
    )
    expect(
        ends["rates"] and ends["scheduler"],
        "At the end the scheduler stands at {got}, and in a run never stopped at {expected}. A checkpoint that is "
        "saved before the scheduler's step holds the place of the epoch before.",
        got=second["end"]["scheduler"]["epoch"],
        expected=once["end"]["scheduler"]["epoch"],
    )
    expect(
        all(ends.values()),
        "Stopped after epoch {last} and called again with new objects, `fit` does not end with the bits of a run "
        "never stopped. These differ: {what}.",
        last=stop - 1,
        what=", ".join(part for part, same in ends.items() if not same),
    )
    expect_ran(second)
    expect(
        identical(second["losses"], once["losses"][stop:]),
        "The second call ran epochs {stop} to {last}. It has to return their mean losses and no others; it returned "
        "{got}, and a run never stopped had {expected} there.",
        stop=stop,
        last=epochs - 1,
        got=shown(second["losses"]),
        expected=shown(once["losses"][stop:]),
    )


def shown(values):
    return ", ".join(f"{value:.4g}" for value in numbers(values) if value is not None) or "[]"


def draw_curves(figure, stop, once, first, second):
    whole = numbers(once["losses"])
    resumed = (numbers(first["losses"]) + numbers(second["losses"]))[: 2 * len(whole)]
    figure(
        "lines",
        series=[
            {"label": "never stopped", "values": whole, "dashed": True},
            {"label": "stopped and called again", "values": resumed},
        ],
        x_label="epoch",
        y_label="training loss",
        marks=[{"x": stop - 0.5, "label": "new process"}],
    )


def test_nothing_left_to_do(learner, rng, device, evidence):
    """When all epochs are done, `fit` loads what is there, trains nothing and returns an empty list"""
    setup = draw(rng, device)
    facts = []
    for epochs in (setup["stop"], setup["stop"] - 1):
        got = learner.finished(setup=setup, epochs=epochs)
        first, second = got["first"], got["second"]
        same = all(identical(second["end"][part], first["end"][part]) for part in first["end"])
        facts.append((epochs, len(second["epochs"]), second["losses"] == [], same))
    evidence(facts=facts)
    for epochs, trained, empty, same in facts:
        expect(
            trained == 0 and empty,
            "{stop} epochs are done and saved. Called with `epochs={epochs}`, `fit` has nothing left to do and has "
            "to return []. It trained {trained} epochs.",
            stop=setup["stop"],
            epochs=epochs,
            trained=trained,
        )
        expect(
            same,
            "{stop} epochs are done and saved. Called with `epochs={epochs}` and new objects, `fit` has to leave "
            "them as they were at the end of the run: it loads the file even when no epoch is left.",
            stop=setup["stop"],
            epochs=epochs,
        )


# --- The file --------------------------------------------------------------------------------------------------------


def test_saves_after_each_epoch(learner, rng, device, evidence):
    """After each epoch the file holds that epoch"""
    setup = draw(rng, device, epochs=4)
    got = learner.checkpoints(setup=setup)
    loaded = got["loaded"][1:]  # there is nothing to load before the first epoch
    found = [None if checkpoint is None else checkpoint["next"] for checkpoint in loaded]
    weights = [
        checkpoint is not None and identical(checkpoint["weights"], right)
        for checkpoint, right in zip(loaded, got["weights"][1:], strict=False)
    ]
    evidence(next=found, weights=weights)
    expect(
        len(found) == setup["epochs"],
        "For `epochs={expected}` `fit` has to train {expected} epochs, and it went through the loader {got} times.",
        expected=setup["epochs"],
        got=len(found),
    )
    for epoch, (following, same) in enumerate(zip(found, weights, strict=True)):
        expect(
            following is not None,
            "When epoch {epoch} was over there was no checkpoint to load. `fit` has to save after each epoch: nobody "
            "knows after which one it will be stopped.",
            epoch=epoch,
        )
        expect(
            following == epoch + 1,
            "When epoch {epoch} was over, loading the checkpoint gave {following} as the next epoch. It has to be "
            "the checkpoint of the epoch just finished, saved before the next one begins.",
            epoch=epoch,
            following=following if type(following) is int else kind_of(following),
        )
        expect(
            same,
            "When epoch {epoch} was over, the checkpoint did not hold the weights that the model had then.",
            epoch=epoch,
        )


def test_loads_safely(learner, rng, device, evidence):
    """The file loads with `torch.load(path, weights_only=True)`"""
    got = learner.opened_safely(setup=draw(rng, device))
    evidence(saved=not got["saved"], fitted=not got["fitted"])
    refused = got["saved"] or got["fitted"]
    expect(
        "FileNotFoundError" not in refused,
        "There is no file at `path` after a save. The whole checkpoint has to be in that one file.",
    )
    expect(
        not refused,
        "`torch.load(path, weights_only=True)` refuses the file with {error}. There must be tensors, numbers, "
        "strings, lists, tuples and dicts in it and nothing else: `state_dict`s in place of objects, no numpy "
        "arrays.",
        error=refused[0] if refused else "",
    )


def test_missing_file(learner, rng, device, evidence):
    """Loading a file that is not there raises FileNotFoundError"""
    errors = learner.missing(setup=draw(rng, device))
    evidence(errors=["FileNotFoundError" in kinds for kinds in errors])
    for kinds in errors:
        expect(
            bool(kinds),
            "There is no file, and `load_checkpoint` returned. It has to raise FileNotFoundError: whoever asks for a "
            "checkpoint must not get a beginner's weights without a word. Whether to go on or to begin is for `fit` "
            "to decide.",
        )
        expect(
            "FileNotFoundError" in kinds,
            "There is no file, and `load_checkpoint` raised {error}. It has to raise FileNotFoundError, or an error "
            "derived from it.",
            error=kinds[0],
        )


UNNOTICED = {
    "names": "The checkpoint is of a model whose layers have other names, and `load_checkpoint` returned as if "
    "nothing were wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
    "buffer": "The checkpoint is of a model that has one layer less, and `load_checkpoint` returned as if nothing "
    "were wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
    "wider": "The checkpoint is of a model with a narrower layer, and `load_checkpoint` returned as if nothing were "
    "wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
}


def test_other_architecture(learner, rng, device, evidence):
    """A checkpoint of another architecture raises an error"""
    same, *others = learner.foreign(setup=draw(rng, device))
    evidence(raised=[bool(kinds) for kinds in (same, *others)])
    expect(not same, "Loading into the same architecture raised {error}.", error=same[0] if same else "")
    for kinds, architecture in zip(others, UNNOTICED, strict=True):
        expect(bool(kinds), UNNOTICED[architecture])


def test_any_path(learner, rng, device, evidence):
    """The path may be any path-like object"""
    got = learner.by_path(setup=draw(rng, device))
    evidence(got=got)
    error = next((answer for answer in got if isinstance(answer, str)), "")
    expect(
        not error,
        "With a path that is no string, but a `pathlib.Path` or another path-like object, it came to {error}. "
        "`os.fspath(path)` gives the string.",
        error=error,
    )
    expect(
        got == [2, 1] * 2,
        "With a path that is no string, but a `pathlib.Path` or another path-like object, `fit` does not find the "
        "checkpoint that is there.",
    )


def test_any_file_system(learner, rng, device, evidence):
    """The folder of the checkpoint may be on any file system"""
    learner.keep_files()
    got = learner.to_the_end.elsewhere(setup=draw(rng, device)) or {"failed": True, "next": [], "events": []}
    evidence(failed=got["failed"], next=got["next"])
    expect(
        not got["failed"],
        "The folder of the checkpoint is on another file system than the folder for temporary files, and saving "
        "raised {error}. Nothing can be renamed from one file system to another: write the new file in the folder of "
        "`path`.",
        error=got["events"][0] if got["events"] else "OSError",
    )
    expect(
        got["next"] == [5],
        "The folder of the checkpoint is on another file system than the folder for temporary files. Epoch 4 was "
        "saved, and loading gives {got} as the next one.",
        got=kind_of(got["next"]) if not isinstance(got["next"], list) else shown(got["next"]),
    )


# --- Death -----------------------------------------------------------------------------------------------------------


def test_killed_while_writing(learner, rng, device):
    """Killed while it writes, `fit` leaves the previous checkpoint or the new one, whole"""
    setup = draw(rng, device)
    learner.overwritten(setup=setup)  # decides nothing; that mistakes differ here is known soon
    learner.keep_files()
    weights = [epoch["weights"] for epoch in learner.straight(setup=setup)["epochs"]]
    epoch = rng.randint(1, setup["epochs"] - 2)
    learner.to_the_end.die_saving(setup=setup, epoch=epoch, size=rng.choice([0, 1, rng.randint(2, 1000)]))
    got = learner.left(setup=setup)
    expect(
        len(weights) == setup["epochs"],
        "For `epochs={expected}` `fit` has to train {expected} epochs, and it went through the loader {got} times.",
        expected=setup["epochs"],
        got=len(weights),
    )
    expect(
        got["weights"] is not None,
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Afterwards the file at `path` "
        "could not be loaded: the old checkpoint was gone and the new one not there yet. Write the new one beside "
        "it, under another name in the same folder, and when it is whole give it its name with `os.replace`.",
        epoch=epoch,
    )
    expect(
        any(identical(got["weights"], weights[at]) for at in (epoch, epoch + 1)),
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Afterwards the file at `path` was "
        "neither the checkpoint of the epoch before nor the new one.",
        epoch=epoch,
    )


def test_killed_between_steps(learner, reference, rng, device):
    """Killed between any two steps of a save, the previous checkpoint or the new one is there, whole"""
    setup = draw(rng, device)
    versions = reference.versions(setup=setup)
    moments = [(0, True), (0, False), (1, True), (2, True), (3, True)]
    share = rng.uniform(0.1, 0.9)
    steps = 1
    learner.overwritten(setup=setup)  # decides nothing; that mistakes differ here is known soon
    for back, before in moments:
        if back >= steps:
            break
        learner.keep_files()
        failed = learner.to_the_end.die_between_steps(setup=setup, back=back, before=before, share=share)
        expect(
            not failed,
            "Saving raised {error} where the folder of the checkpoint is on another file system than the folder for "
            "temporary files.",
            error=failed["events"][0] if failed else "",
        )
        got = learner.left(setup=setup)
        steps = len(got["events"])
        whole = got["weights"] is not None and any(close(got["weights"], version, **TRAINED) for version in versions)
        step = got["events"][-1 - back] if back < steps else "write"
        expect(
            whole or not before or step == "open",
            "The process was killed in the middle of a save, just before a step of it (`{step}`). Afterwards the "
            "file at `path` was neither the previous checkpoint nor the new one. The one step that may touch `path` "
            "is an `os.replace` by a file that is whole and closed.",
            step=step,
        )
        expect(
            whole,
            "The process was killed in the middle of a save, while it wrote after a step of it (`{step}`). "
            "Afterwards the file at `path` was neither the previous checkpoint nor the new one. The one step that "
            "may touch `path` is an `os.replace` by a file that is whole and closed.",
            step=step,
        )


def test_killed_in_first_save(learner, rng, device, evidence):
    """What a killed save leaves behind does no harm: the next process goes on, and saves again"""
    learner.keep_files()
    setup = draw(rng, device)
    once = learner.straight(setup=setup)
    learner.to_the_end.die_saving(setup=setup, epoch=0, size=rng.choice([0, rng.randint(1, 1000)]))
    got = learner.go_on(setup=setup, life=0)
    ends = {part: got["end"] is not None and identical(got["end"][part], once["end"][part]) for part in once["end"]}
    evidence(failed=got["failed"], ends=ends)
    expect(
        not got["failed"],
        "The process was killed while `fit` wrote its first checkpoint. Called again, in a new process, `fit` raised "
        "{error}: what the killed save has left is in the way.",
        error=got["events"][0] if got["events"] else "",
    )
    expect(
        all(ends.values()),
        "The process was killed while `fit` wrote its first checkpoint. Called again, in a new process, with objects "
        "built in the same way, `fit` does not end as a run never stopped. These differ: {what}.",
        what=", ".join(part for part, same in ends.items() if not same),
    )


def test_killed_in_an_epoch(learner, rng, device, evidence):
    """Killed in the middle of an epoch, `fit` goes on in a new process from the last epoch finished"""
    learner.keep_files()
    setup = draw(rng, device)
    finished = rng.randint(1, setup["epochs"] - 1)
    samples = finished * setup["samples"] + rng.randrange(setup["samples"])
    once = learner.run(setup=setup, life=0, path="straight.pt")
    learner.to_the_end.die_between_batches(setup=setup, path="run.pt", samples=samples)
    again = learner.run(setup=setup, life=1, path="run.pt")
    ends = {part: identical(again["end"][part], once["end"][part]) for part in once["end"]}
    returned = len(again["losses"]) if isinstance(again["losses"], list) else None
    evidence(returned=returned, ends=ends)
    expect(
        returned == setup["epochs"] - finished,
        "The process was killed in epoch {finished}; {finished} epochs were finished. Called again in a new process "
        "with `epochs={epochs}`, `fit` has to run the {expected} that are left and return their losses. It returned "
        "{got}.",
        finished=finished,
        epochs=setup["epochs"],
        expected=setup["epochs"] - finished,
        got=returned,
    )
    expect(
        all(ends.values()),
        "The process was killed in epoch {finished}. Called again in a new process with new objects, `fit` does not "
        "end with the bits of a run never stopped. These differ: {what}.",
        finished=finished,
        what=", ".join(part for part, same in ends.items() if not same),
    )
    expect(
        identical(again["losses"], once["losses"][finished:]),
        "The process was killed in epoch {finished}. Called again in a new process, `fit` returned other losses than "
        "a run never stopped had from there on.",
        finished=finished,
    )
