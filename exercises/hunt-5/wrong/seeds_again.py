"""The run sets the random seed itself: every run draws the same numbers, and so does all that comes after it."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    torch.manual_seed(0)
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
            average = loss.detach() if average is None else beta * average + (1 - beta) * loss.detach()
            log.append(average)
    return torch.stack(log).tolist()
