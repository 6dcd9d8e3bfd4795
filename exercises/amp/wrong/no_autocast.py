"""The forward pass or the loss ran outside an autocast of the model's device: what runs there runs in full precision, and saves neither time nor memory."""

import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scale = scaler.get_scale()
    scaler.update()
    stepped = scaler.get_scale() >= scale
    return loss.item(), stepped
