"""The loss divided by accum_steps."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    batches = list(loader)
    updates = 0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches, start=1):
        loss = loss_fn(model(x), y) / accum_steps
        loss.backward()
        if i % accum_steps == 0 or i == len(batches):
            clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
            updates += 1
    return updates
