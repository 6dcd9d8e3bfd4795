"""Autocast as a decorator, the loss in double precision, everything split into small functions."""

import functools

import torch


def compute_loss(model, x, y, loss_fn):
    return loss_fn(model(x), y)


def update(model, optimizer, scaler, max_norm):
    scaler.unscale_(optimizer)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    total = torch.nn.utils.get_total_norm(gradients)
    torch.nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, total)
    # A closure is called by the optimizer, if the scaler lets it step.
    answer = scaler.step(optimizer, lambda: "stepped")
    scaler.update()
    return answer == "stepped"


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    kind = next(iter(model.parameters())).device.type
    loss = torch.autocast(kind, dtype)(functools.partial(compute_loss, model))(x, y, loss_fn)
    optimizer.zero_grad()
    torch.autograd.backward([scaler.scale(loss.double())])
    stepped = update(model, optimizer, scaler, max_norm)
    return loss.detach().double().item(), stepped
