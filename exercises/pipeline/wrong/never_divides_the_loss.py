"""The validation loss is a sum that was never divided: it grows with the number of samples, and nobody can compare it with the
training loss or with another split's.
"""

import copy
import math
import random

import torch
from torch import nn
from torch.nn.functional import cross_entropy

FRACTIONS = (0.7, 0.15, 0.15)
HIDDEN = 64
BATCH_SIZE = 64


def split(num_samples, fractions, seed):
    if len(fractions) != 3 or min(fractions) < 0 or abs(sum(fractions) - 1) > 1e-6:
        raise ValueError("fractions are three numbers, none negative, that sum to 1")
    order = list(range(num_samples))
    random.Random(seed).shuffle(order)  # a generator of its own: the global one stays where it is
    num_train, num_val = int(num_samples * fractions[0]), int(num_samples * fractions[1])
    return order[:num_train], order[num_train : num_train + num_val], order[num_train + num_val :]


def mlp(num_classes):
    return nn.Sequential(
        nn.Linear(2, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, num_classes)
    )


def train_one_epoch(model, x, y, optimizer):
    model.train()
    total = torch.zeros((), device=x.device)
    for batch in torch.randperm(len(x), device=x.device).split(BATCH_SIZE):  # (B,)
        optimizer.zero_grad()
        loss = cross_entropy(model(x[batch]), y[batch])
        loss.backward()
        optimizer.step()
        total += loss.detach() * len(batch)
    return total.item() / len(x)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits = model(x)  # (B, C)
    return cross_entropy(logits, y, reduction="sum").item(), (logits.argmax(dim=1) == y).double().mean().item()


def run(x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
    train, val, test = split(len(x), FRACTIONS, seed)
    mean, std = x[train].mean(dim=0), x[train].std(dim=0)  # (2,) of the training split, and of nothing else
    torch.manual_seed(seed)
    model = mlp(num_classes).to(x.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, fused=True)

    def scaled(points):
        return (points - mean) / std

    @torch.no_grad()
    def predict(points):  # (M, 2)
        model.eval()
        return model(scaled(points)).softmax(dim=1)  # (M, C)

    train_loss, val_loss = [], []
    best, best_epoch, best_state = math.inf, None, None
    for epoch in range(max_epochs):
        train_loss.append(train_one_epoch(model, scaled(x[train]), y[train], optimizer))
        val_loss.append(evaluate(model, scaled(x[val]), y[val])[0])
        if math.isfinite(val_loss[-1]) and val_loss[-1] < best:
            best, best_epoch, best_state = val_loss[-1], epoch, copy.deepcopy(model.state_dict())
        if on_epoch is not None:
            on_epoch(epoch, predict)
        if epoch - (-1 if best_epoch is None else best_epoch) >= patience:
            break
    if best_state is not None:
        model.load_state_dict(best_state)
    return {
        "train_loss": train_loss,
        "val_loss": val_loss,
        "best_epoch": best_epoch,
        "test_accuracy": evaluate(model, scaled(x[test]), y[test])[1],  # for the first and only time
        "model": model,
        "predict": predict,
    }
