"""Collects an epoch's norms and losses and reduces them at its end."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = {"loss": [], "largest_norm": []}
    for _ in range(epochs):
        sums, sizes, norms = [], [], []
        for x, y in loader:
            model.train()
            model.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            norms.append(torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm))
            optimizer.step()
            sums.append(loss.detach() * len(y))
            sizes.append(len(y))
        history["loss"].append(float(sum(sums)) / sum(sizes))
        history["largest_norm"].append(float(torch.stack(norms).max()))
    return history
