"""Looks one batch ahead to notice the end; weights by samples through the optimizer's own parameters."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    iterator = iter(loader)
    following = next(iterator, None)
    number, size, updates = 0, 0, 0
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    while following is not None:
        (x, y), following = following, next(iterator, None)
        loss_sum = loss_fn(model(x), y) * len(y)
        loss_sum.backward()
        number, size = number + 1, size + len(y)
        if number == accum_steps or following is None:
            for p in parameters:
                p.grad = None if p.grad is None else p.grad / size
            clip_grad_norm_(parameters, max_norm)
            optimizer.step()
            optimizer.zero_grad()
            number, size, updates = 0, 0, updates + 1
    return updates
