import collections
import copy
import random

import torch
from torch import nn

Split = collections.namedtuple("Split", "train val test")


def split(num_samples, fractions, seed):
    if len(fractions) != 3:
        raise ValueError
    if [fraction for fraction in fractions if fraction < 0]:
        raise ValueError
    if round(abs(sum(fractions) - 1), 9) > 1e-6:
        raise ValueError
    state = random.getstate()
    try:
        random.seed(seed)
        order = sorted(range(num_samples), key=lambda index: random.random())
    finally:
        random.setstate(state)
    a, b = int(num_samples * fractions[0]), int(num_samples * fractions[1])
    return Split(order[:a], order[a:][:b], order[a:][b:])


class History(dict):
    pass


def epochs(model, optimizer, x, y):
    """Endlessly: the training loss of one epoch after the other."""
    while True:
        model.train()
        total = 0.0
        for rows in torch.randperm(len(x)).to(x.device).tensor_split(6):
            loss = nn.CrossEntropyLoss()(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item() * len(rows) / len(x)
        yield total


def run(x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
    random.seed(seed)
    torch.manual_seed(seed + 1)
    parts = split(len(x), (0.7, 0.15, 0.15), seed)
    mean = x[parts.train].double().mean(dim=0)
    std = (x[parts.train].double() - mean).pow(2).mean(dim=0).sqrt()

    def scaled(points):
        return ((points.double() - mean) / std).float()

    model = nn.Sequential(
        nn.Linear(2, 64), nn.SiLU(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, num_classes)
    ).to(x.device)
    optimizer = torch.optim.RAdam(model.parameters(), lr=0.01)
    history = History(train_loss=[], val_loss=[])
    champion, best_epoch = model, None

    def asking(network):
        network = copy.deepcopy(network).eval()

        @torch.no_grad()
        def predict(points):
            return network(scaled(points)).softmax(1)

        return predict

    z = [scaled(x[part]) for part in parts]
    for epoch, loss in zip(range(max_epochs), epochs(model, optimizer, z[0], y[parts.train])):
        history["train_loss"].append(loss)
        model.eval()
        with torch.no_grad():
            history["val_loss"].append(nn.functional.cross_entropy(model(z[1]), y[parts.val]).item())
        if min(history["val_loss"]) not in history["val_loss"][:-1]:
            champion, best_epoch = copy.deepcopy(model), epoch
        if on_epoch is not None:
            on_epoch(epoch, asking(model))
        print(f"epoch {epoch}: {loss:.3f}")
        if best_epoch is not None and epoch == best_epoch + patience:
            break
    predict = asking(champion)
    history.update(
        best_epoch=best_epoch,
        test_accuracy=(predict(x[parts.test]).argmax(1) == y[parts.test]).double().mean(),
        model=champion,
        predict=predict,
    )
    return history
