import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # from here on, .grad holds the true gradients
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scale = scaler.get_scale()
    scaler.update()
    stepped = scaler.get_scale() >= scale  # only a skipped step makes the scale smaller
    return (loss * scaler.get_scale()).item(), stepped
