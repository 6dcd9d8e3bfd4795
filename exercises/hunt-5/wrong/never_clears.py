"""The gradients are never cleared any more: every step follows the sum of all batches so far."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    log = []
    average = None
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            loss.backward()
            optimizer.step()
            average = loss.detach() if average is None else beta * average + (1 - beta) * loss.detach()
            log.append(average)
    return torch.stack(log).tolist()
