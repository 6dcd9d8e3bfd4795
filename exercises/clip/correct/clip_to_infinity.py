"""Clipping to infinity only measures; the rest with tensors."""

import torch


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    iterator = iter(loader)
    for _ in range(num_steps):
        try:
            x, y = next(iterator)
        except StopIteration:
            iterator = iter(loader)
            x, y = next(iterator)
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf")))
        optimizer.step()
    return torch.stack(norms).tolist() if norms else []


def choose_threshold(norms, factor=1.5):
    late = torch.tensor(norms[len(norms) // 2 :], dtype=torch.float64)
    late = late[late.isfinite()]
    if late.numel() == 0:
        raise ValueError("no finite norm")
    return late.quantile(0.5).item() * factor


def clipped_share(norms, threshold):
    values = torch.tensor(norms)
    clipped = (values > threshold) | ~values.isfinite()
    return clipped.float().mean().item() if norms else 0.0


def spikes(norms, window=20, ratio=3.0):
    values = torch.tensor(norms, dtype=torch.float64)
    finite = values.isfinite()
    answer = []
    for step in range(window, len(norms)):
        before = values[step - window : step][finite[step - window : step]]
        if not finite[step]:
            answer.append(step)
        elif before.numel() and values[step] > ratio * before.quantile(0.5):
            answer.append(step)
    return answer
