"""An iterator driven by hand, small helpers, the list of the losses weighted at the end; prints its progress."""

import torch


def update(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad()
    loss = loss_fn(model.forward(x), y)
    loss.backward(retain_graph=False)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, error_if_nonfinite=False)
    optimizer.step()
    return loss.detach()


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    model = model.train()
    anywhere = next(model.parameters())
    batches = iter(loader)
    sums, number = [], 0
    while (batch := next(batches, None)) is not None:
        x, y = batch[0].to(anywhere.device), batch[1].to(anywhere.device)
        sums.append(update(model, x, y, loss_fn, optimizer, max_norm) * len(y))
        number += len(y)
        print("batch", len(sums), "of shape", tuple(x.shape))
    return sum(sums).item() / number
