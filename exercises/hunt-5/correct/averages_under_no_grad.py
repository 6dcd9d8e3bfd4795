"""Computes the average where autograd is off, from a copy."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    log = []
    average = None
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                average = loss.clone() if average is None else torch.lerp(loss, average, beta)
            log.append(average)
    return torch.stack(log).tolist()
