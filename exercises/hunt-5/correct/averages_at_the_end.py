"""Keeps detached losses and averages them after the run."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    model.train()
    losses = [step(model, loss_fn, optimizer, x, y) for _ in range(epochs) for x, y in loader]
    log = []
    for loss in torch.stack(losses).tolist():
        log.append(loss if not log else beta * log[-1] + (1 - beta) * loss)
    return log


def step(model, loss_fn, optimizer, x, y):
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()
