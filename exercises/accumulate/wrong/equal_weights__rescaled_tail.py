"""The textbook's way, the last window scaled up afterwards."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates, count = 0, 0

    def update():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.mul_(accum_steps / count)
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()

    for x, y in loader:
        (loss_fn(model(x), y) / accum_steps).backward()
        count += 1
        if count == accum_steps:
            update()
            updates, count = updates + 1, 0
    if count:
        update()
        updates += 1
    return updates
