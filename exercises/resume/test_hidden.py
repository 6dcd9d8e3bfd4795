"""What must come back from a checkpoint, when it is written, and that it is always whole.

Tolerances. A resumed run is held against the same program's run that was never stopped, and against nothing but equal
bits: one program makes the same operations on the same numbers in both. What training itself must be is held against
the reference's within 1e-3: right programs differ in the rounding of a few sums only, mistakes move weights by a
hundredth and more.

Whatever a checkpoint may bring back is either what was saved, or what the new objects came with, or neither. Which one
it is tells mistakes apart, whatever constants they use.
"""

from itertools import pairwise

from judge.kit import close, expect, expect_close

TRAINED = {"rtol": 1e-3, "atol": 2e-5}
WEIGHTS = ("weights", "buffers")
DISK = "disk"  # the folder of the checkpoint, as the probe names it
# At which step of a save the process is killed, counted back from the last, and whether before the step or after it.
MOMENTS = ((0, True), (0, False), (1, True), (2, True), (3, True))


# --- Runs ------------------------------------------------------------------------------------------------------------


def draw(rng, device, **wanted):
    """A small run with dropout, batch norm, two groups of parameters and a last batch of another size."""
    size, epochs = rng.randint(5, 6), rng.randint(4, 5)
    return {
        "seed": rng.randrange(2**31),
        "device": device,
        "lives": rng.sample(range(2**31 - 1), 3),
        "samples": size + rng.randint(2, 3),
        "batch": size,
        "hidden": rng.randint(4, 6),
        "dropout": rng.uniform(0.2, 0.4),
        "frozen": rng.random() < 0.3,
        "optimizer": rng.choice(["adam", "sgd"]),
        "lr": rng.uniform(0.02, 0.04),
        "head_lr": rng.uniform(0.05, 0.08),
        "momentum": rng.uniform(0.7, 0.9),
        "scheduler": rng.choice(["cosine", "power"]),
        "power": rng.uniform(0.3, 0.7),
        "epochs": epochs,
        "stop": rng.randint(2, epochs - 2),
        "data_loader": False,
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


def stream_origin(answer, stream, other):
    """Where the state of a stream comes from: there are more places to take a wrong one from."""
    found = origin(answer, stream)
    if found != "neither":
        return found
    if identical(answer["loaded"][stream], answer["saved"][other]):
        return "the other stream"
    return "seeded" if answer["at_a_seed"][stream] else "neither"


def expect_back(answer, part, message):
    expect(origin(answer, part) == "saved", message)


def expect_list(losses):
    expect(
        isinstance(losses, list),
        "`fit` returned a {kind}. It has to return the list of the mean losses of the epochs that it ran.",
        kind=kind_of(losses),
    )


def kind_of(value):
    return getattr(value, "type_name", type(value).__name__)


def numbers(values):
    """A list of losses as the page can draw it."""
    return [value if isinstance(value, (int, float)) else None for value in values] if isinstance(values, list) else []


# --- Training --------------------------------------------------------------------------------------------------------


def test_trains(learner, reference, rng, device, evidence):
    """Never stopped, `fit` makes one update a batch and returns the mean loss per sample of each epoch"""
    setup = draw(rng, device)
    got, expected = learner.straight(setup=setup), reference.straight(setup=setup)
    draws = [[epoch["dropout"] for epoch in run["epochs"]] for run in (got, expected)]
    same_draws = draws[0][: len(draws[1])] == draws[1][: len(draws[0])]
    rates, losses = [epoch["rates"] for epoch in got["epochs"]], got["losses"]
    facts = {"trained": len(rates), "rates": rates, "same_draws": same_draws, "training": got["training"]}
    if same_draws:
        facts |= {"losses": losses, **{part: got["end"][part] for part in (*WEIGHTS, "optimizer")}}
    else:
        facts |= {"one_stream": all(a.get("dropout_after") == b["dropout"] for a, b in pairwise(got["epochs"]))}
    evidence(**facts)
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
    expect_losses(losses, expected["losses"])


def expect_losses(got, expected):
    expect_list(got)
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
    """Loading brings back the weights and the buffers, into the model that is there; it stays in training mode"""
    got = learner.revived(setup=draw(rng, device))
    modes = {when: all(got[when]) for when in ("modes_after_save", "modes")}
    evidence(weights=origin(got, "weights"), buffers=origin(got, "buffers"), same_objects=got["same_objects"], **modes)
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
    """Loading brings back the optimizer's moments and rates, and the scheduler's place in its schedule"""
    got = learner.revived(setup=draw(rng, device))
    evidence(**{part: origin(got, part) for part in ("optimizer", "rates", "scheduler")})
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
    expect(
        origin(got, "scheduler") == "saved",
        "The scheduler had been stepped {expected} times when it was saved, and after loading it stands at {got}.",
        expected=got["saved"]["scheduler"]["epoch"],
        got=got["loaded"]["scheduler"]["epoch"],
    )


def test_random_numbers_come_back(learner, rng, device, evidence):
    """Loading brings back both streams of random numbers: the generator's and torch's own"""
    got = learner.revived(setup=draw(rng, device))
    order, dropout = stream_origin(got, "order", "dropout"), stream_origin(got, "dropout", "order")
    evidence(order=order, dropout=dropout)
    expect(
        order != "the other stream",
        "After loading the generator holds what was saved of torch's global random state. There are two streams, and "
        "each needs its own state back.",
    )
    expect(
        dropout != "the other stream",
        "After loading torch's global random state holds what was saved of the generator's. There are two streams, "
        "and each needs its own state back.",
    )
    expect(
        order != "fresh",
        "The new generator is where it was before loading: the next epochs would see the samples in another order. "
        "Its state belongs in the file (`get_state`) and back into the generator (`set_state`).",
    )
    expect(
        order == "saved",
        "After loading the generator is neither where it was saved nor where it was before. Seeding it again begins "
        "the orders anew; bring back its state with `set_state`.",
    )
    expect(
        dropout != "fresh",
        "torch's global random state is what it was before loading: dropout would draw other masks than in a run "
        "never stopped. Save `torch.get_rng_state()` too, and bring it back with `torch.set_rng_state`.",
    )
    expect(
        dropout == "saved",
        "After loading torch's global random state is neither what was saved nor what it was before. A seed would "
        "begin the stream anew; what has to come back is the state that it had when it was saved.",
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
    epochs = rng.randint(5, 6)  # the second call runs more of them than the first
    setup = draw(rng, device, epochs=epochs, stop=2)
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
    expect_list(second["losses"])
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
    first, *others = learner.finished(setup=setup, epochs=[setup["stop"], setup["stop"] - 1])
    facts = []
    for epochs, got in zip((setup["stop"], setup["stop"] - 1), others, strict=True):
        same = not got["failed"] and all(identical(got["end"][part], first["end"][part]) for part in first["end"])
        facts.append((epochs, got["failed"], len(got["epochs"]), got["losses"] == [], same))
    evidence(facts=facts)
    for epochs, failed, trained, empty, same in facts:
        expect(
            not failed,
            "{stop} epochs are done and saved. Called with `epochs={epochs}`, `fit` has nothing left to do and has to "
            "return []. It raised {error}: what only an epoch sets is not there when none is run.",
            stop=setup["stop"],
            epochs=epochs,
            error=failed[0] if failed else "",
        )
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


UNNOTICED = {
    "names": "The checkpoint is of a model whose layers have other names, and `load_checkpoint` returned as if "
    "nothing were wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
    "buffer": "The checkpoint is of a model that has one layer less, and `load_checkpoint` returned as if nothing "
    "were wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
    "wider": "The checkpoint is of a model with a narrower layer, and `load_checkpoint` returned as if nothing were "
    "wrong, with a model that is new in part. The error of `load_state_dict` has to reach the caller.",
}


def test_errors(learner, rng, device, evidence):
    """A missing file raises FileNotFoundError; a checkpoint of another architecture raises an error"""
    setup = draw(rng, device)
    missing = learner.missing(setup=setup)
    got = learner.foreign(setup=setup)
    same, *others = got["loading"]
    evidence(
        missing=["FileNotFoundError" in kinds for kinds in missing],
        raised=[bool(kinds) for kinds in others],
        fit_raised=bool(got["fitting"]),
    )
    for kinds in missing:
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
    expect(not same, "Loading into the same architecture raised {error}.", error=same[0] if same else "")
    for kinds, architecture in zip(others, UNNOTICED, strict=True):
        expect(bool(kinds), UNNOTICED[architecture])
    expect(
        bool(got["fitting"]),
        "There is a checkpoint at `path`, of a model with a narrower layer, and `fit` trained from the beginning as if "
        "there were none. The error of `load_state_dict` has to reach the caller: only a missing file means that "
        "nothing was saved yet.",
    )


def test_any_path(learner, rng, device, evidence):
    """The path may be any path-like object"""
    got = learner.by_path(setup=draw(rng, device))
    evidence(got=got)
    expect(
        "another file" not in got,
        "A checkpoint was saved to a path whose last part has another ending than usual, or none, and there is no file "
        "of that name. The path is the name of the file: nothing is put in place of its ending.",
    )
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


# --- Death -----------------------------------------------------------------------------------------------------------


def test_killed_while_writing(learner, rng, device, evidence):
    """Killed while it writes, `fit` leaves a whole checkpoint, from which the next process goes on"""
    setup = draw(rng, device, data_loader=True)
    once = learner.straight(setup=setup)
    weights = [epoch["weights"] for epoch in once["epochs"]]
    epoch = rng.randint(1, setup["epochs"] - 2)
    learner.keep_files()
    learner.to_the_end.die_saving(setup=setup, epoch=epoch, size=rng.choice([0, 1, rng.randint(2, 1000)]))
    (left,) = learner.left(setup=setup, folders=[DISK])
    finished = [done for done in (epoch, epoch + 1) if left is not None and identical([left], weights[done : done + 1])]
    evidence(whole=bool(finished))
    expect(
        len(weights) == setup["epochs"],
        "For `epochs={expected}` `fit` has to train {expected} epochs, and it went through the loader {got} times.",
        expected=setup["epochs"],
        got=len(weights),
    )
    expect(
        left is not None,
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Afterwards the file at `path` "
        "could not be loaded: the old checkpoint was gone and the new one not there yet. Write the new one beside "
        "it, under another name in the same folder, and when it is whole give it its name with `os.replace`.",
        epoch=epoch,
    )
    expect(
        bool(finished),
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Afterwards the file at `path` was "
        "neither the checkpoint of the epoch before nor the new one.",
        epoch=epoch,
    )
    again = learner.go_on(setup=setup, life=1)
    ends = {part: not again["failed"] and identical(again["end"][part], once["end"][part]) for part in once["end"]}
    returned = len(again["losses"]) if isinstance(again["losses"], list) else None
    evidence(failed=again["failed"], ends=ends, returned=returned)
    expect(
        not again["failed"],
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Called again, in a new process, "
        "`fit` raised {error}: what the killed save has left is in the way.",
        epoch=epoch,
        error=again["events"][0] if again["events"] else "",
    )
    expect(
        returned == setup["epochs"] - finished[0],
        "The process was killed while `fit` wrote a checkpoint; {finished} epochs were finished and saved. Called "
        "again in a new process with `epochs={epochs}`, `fit` has to run the {expected} that are left and return "
        "their losses. It returned {got}.",
        finished=finished[0],
        epochs=setup["epochs"],
        expected=setup["epochs"] - finished[0],
        got=returned,
    )
    expect(
        all(ends.values()),
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Called again in a new process with "
        "new objects, `fit` does not end with the bits of a run never stopped. These differ: {what}.",
        epoch=epoch,
        what=", ".join(part for part, same in ends.items() if not same),
    )
    expect(
        identical(again["losses"], once["losses"][finished[0] :]),
        "The process was killed while `fit` wrote the checkpoint of epoch {epoch}. Called again in a new process, "
        "`fit` returned other losses than a run never stopped had from there on.",
        epoch=epoch,
    )


def test_killed_between_steps(learner, reference, rng, device, evidence):
    """On any file system a save can be killed between any two of its steps: a whole checkpoint is there"""
    setup = draw(rng, device)
    learner.keep_files()
    saved = learner.to_the_end.save_elsewhere(setup=setup) or {"failed": True, "next": None, "steps": [], "events": []}
    evidence(failed=saved["failed"] and saved["events"], next=saved["next"])
    error = saved["events"][0] if saved["events"] else "OSError"
    expect(
        not saved["failed"] or error == "OSError",
        "Saving to a path that is a string, with a folder and a file in it, raised {error}.",
        error=error,
    )
    expect(
        not saved["failed"],
        "The folder of the checkpoint is on another file system than the folder for temporary files, and saving "
        "raised {error}. Nothing can be renamed from one file system to another: write the new file in the folder of "
        "`path`.",
        error=error,
    )
    expect_close(
        saved["next"],
        5,
        "The folder of the checkpoint is on another file system than the folder for temporary files. Epoch 4 was "
        "saved, and loading gives {got} as the next one.",
    )
    deaths = [death for death in MOMENTS if death[0] < len(saved["steps"])]
    folders = [f"disk{number}" for number in range(len(deaths))]
    share = rng.uniform(0.1, 0.9)
    for folder, (back, before) in zip(folders, deaths, strict=True):
        learner.to_the_end.die_between_steps(setup=setup, folder=folder, back=back, before=before, share=share)
    versions = reference.versions(setup=setup)
    left = learner.left(setup=setup, folders=folders)
    whole = [any(close(weights, version, **TRAINED) for version in versions) for weights in left]
    evidence(whole=all(whole))
    for (back, before), fine in zip(deaths, whole, strict=True):
        step = saved["steps"][-1 - back]
        expect(
            fine or not before or step == "open",
            "The process was killed in the middle of a save, just before a step of it (`{step}`). Afterwards the "
            "file at `path` was neither the previous checkpoint nor the new one. The one step that may touch `path` "
            "is an `os.replace` by a file that is whole and closed.",
            step=step,
        )
        expect(
            fine,
            "The process was killed in the middle of a save, while it wrote after a step of it (`{step}`). "
            "Afterwards the file at `path` was neither the previous checkpoint nor the new one. The one step that "
            "may touch `path` is an `os.replace` by a file that is whole and closed.",
            step=step,
        )
