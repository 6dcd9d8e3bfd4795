"""The average begins at zero instead of the first loss: its first values are far too small."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    log = []
    average = 0.0
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            average = beta * average + (1 - beta) * loss.detach()
            log.append(average)
    return torch.stack(log).tolist()
