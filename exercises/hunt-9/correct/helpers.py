"""One function a step, cleared afterwards."""

import torch


def train(model, loader, loss_fn, optimizer, scaler, epochs, max_norm=1.0, dtype=torch.bfloat16):
    model.train()
    log = [
        step(model, x, y, loss_fn, optimizer, scaler, max_norm, dtype) for _ in range(epochs) for x, y in loader
    ]
    return [loss for loss, _ in log], [norm for _, norm in log]


def step(model, x, y, loss_fn, optimizer, scaler, max_norm, dtype):
    with torch.autocast(x.device.type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss.item(), norm.item()
