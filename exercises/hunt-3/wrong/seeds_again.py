"""The run sets the random seed itself: every run draws the same numbers, and so does all that comes after it."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    torch.manual_seed(0)
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
