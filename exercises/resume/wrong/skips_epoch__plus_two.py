"""Loading returns the epoch after the next."""

import os

import torch


class Checkpoint:
    def __init__(self, model, optimizer, scheduler, generator):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.generator = generator

    def state(self):
        return {
            "weights": {k: v.detach().cpu() for k, v in self.model.state_dict().items()},
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "generator": self.generator.get_state(),
            "dropout": torch.get_rng_state(),
        }

    def restore(self, state):
        own = self.model.state_dict()
        if own.keys() != state["weights"].keys():
            raise KeyError("the checkpoint is of another architecture")
        with torch.no_grad():
            for name, tensor in own.items():
                tensor.copy_(state["weights"][name])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.generator.set_state(state["generator"])
        torch.set_rng_state(state["dropout"])


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    state = Checkpoint(model, optimizer, scheduler, generator).state()
    state["epoch"] = epoch
    partial = str(path) + ".partial"
    torch.save(state, partial)
    os.replace(partial, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    state = torch.load(path, map_location=next(model.parameters()).device, weights_only=True)
    Checkpoint(model, optimizer, scheduler, generator).restore(state)
    return state["epoch"] + 2


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    start = 0
    if os.path.exists(path):
        start = load_checkpoint(path, model=model, optimizer=optimizer, scheduler=scheduler, generator=generator)
    losses = []
    parameters = [p for p in model.parameters() if p.requires_grad]
    for epoch in range(start, epochs):
        total = n = 0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                parameter.grad = gradient
            optimizer.step()
            total += loss.item() * len(x)
            n += len(x)
        scheduler.step()
        losses.append(total / n)
        save_checkpoint(
            path, model=model, optimizer=optimizer, scheduler=scheduler, generator=generator, epoch=epoch
        )
    return losses
