"""A generator yields the epochs and someone else decides; the state is assigned."""

import copy
import itertools
import math


def epochs(model, train_epoch, validate, max_epochs):
    for number in itertools.islice(itertools.count(), max_epochs):
        yield number, train_epoch(model), validate(model)


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if not patience > 0:
        raise ValueError(f"patience is {patience}")
    history = {"train_loss": [], "val_loss": [], "best_epoch": None, "stopped_early": False}
    limit, state, waited = math.inf, None, 0
    for number, train_loss, val_loss in epochs(model, train_epoch, validate, max_epochs):
        history["train_loss"].append(train_loss)
        history["val_loss"].append(val_loss)
        match val_loss < limit and val_loss not in (math.inf, -math.inf):
            case True:
                limit, waited = val_loss - min_delta, 0
                history["best_epoch"], state = number, copy.deepcopy(model.state_dict())
            case False:
                waited += 1
        history["stopped_early"] = waited == patience
        if history["stopped_early"]:
            break
    if state is not None:
        model.load_state_dict(state, assign=True)
    return history
