"""Makes the steps of SGD with momentum by hand."""

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    weights = list(model.train().parameters())
    velocity = [torch.zeros_like(weight) for weight in weights]
    history = []
    for _ in range(epochs):
        losses, sizes = [], []
        for x, y in loader:
            with torch.autocast(x.device.type, dtype):
                outputs = model(x)
            loss = loss_fn(outputs.float(), y)
            for weight, speed, gradient in zip(weights, velocity, torch.autograd.grad(loss, weights)):
                speed.mul_(0.9).add_(gradient)
                weight.data.sub_(lr * speed)
            losses.append(loss.item())
            sizes.append(len(y))
        history.append(sum(loss * size for loss, size in zip(losses, sizes)) / sum(sizes))
    return history
