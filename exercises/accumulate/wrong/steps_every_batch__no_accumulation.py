"""The ordinary loop."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        updates += 1
    optimizer.zero_grad()
    return updates
