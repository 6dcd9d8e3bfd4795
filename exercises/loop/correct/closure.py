"""optimizer.step(closure): the four other lines are in the closure."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    model.train()
    losses, sizes = [], []
    for x, y in loader:
        x, y = x.to(device), y.to(device)

        def closure():
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            return loss

        losses.append(optimizer.step(closure).detach())
        sizes.append(len(y))
    weights = torch.tensor(sizes, dtype=losses[0].dtype, device=device)
    return (torch.stack(losses) @ weights / weights.sum()).item()
