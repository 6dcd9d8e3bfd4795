"""A class that counts; its number of updates is of a class of its own."""

import torch


class Count(int):
    pass


class Accumulator:
    def __init__(self, model, optimizer, max_norm):
        self.model, self.optimizer, self.max_norm = model, optimizer, max_norm
        self.updates = Count(0)
        self.samples = self.batches = 0

    def add(self, loss, size):
        (loss * size).backward()
        self.samples += size
        self.batches += 1

    def update(self):
        if not self.batches:
            return
        gradients = [p.grad for p in self.model.parameters() if p.grad is not None]
        torch._foreach_div_(gradients, float(self.samples))
        norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in gradients]))
        if norm > self.max_norm:
            torch._foreach_mul_(gradients, (self.max_norm / norm).item())
        self.optimizer.step()
        for gradient in gradients:
            gradient.zero_()
        self.samples = self.batches = 0
        self.updates = Count(self.updates + 1)


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    accumulator = Accumulator(model, optimizer, max_norm)
    for x, y in loader:
        accumulator.add(loss_fn(model(x), y), len(x))
        if accumulator.batches == accum_steps:
            accumulator.update()
    accumulator.update()
    return accumulator.updates
