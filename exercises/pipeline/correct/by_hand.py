import functools
import math

import numpy as np
import torch


def _cut(seed, num_samples, fractions):
    if len(list(fractions)) != 3 or min(fractions) < 0 or abs(math.fsum(fractions) - 1.0) > 1e-6:
        raise ValueError("bad fractions")
    order = list(np.random.RandomState(seed).permutation(num_samples).tolist())
    n, m = int(num_samples * fractions[0]), int(num_samples * fractions[1])
    return order[:n], order[n : n + m], order[n + m :]


def split(num_samples, fractions, seed):
    return functools.partial(_cut, seed)(num_samples, fractions)


class Mlp:
    """No module: plain tensors and matrix products."""

    def __init__(self, sizes, generator, device):
        self.weights = [
            (torch.randn(a, b, generator=generator) * (1.5 / a**0.5)).to(device).requires_grad_()
            for a, b in zip(sizes, sizes[1:])
        ]
        self.biases = [torch.zeros(b, device=device, requires_grad=True) for b in sizes[1:]]

    def parameters(self):
        return [*self.weights, *self.biases]

    def __call__(self, x):
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            x = x @ weight + bias
            if i + 1 < len(self.weights):
                x = x.tanh()
        return x


def entropy(logits, y):
    return -(logits.log_softmax(1)[torch.arange(len(y), device=y.device), y]).mean()


def run(x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
    train, val, test = split(len(y), (0.7, 0.15, 0.15), seed)
    generator = torch.Generator()
    generator.manual_seed(seed)
    shift = torch.stack([x[train, 0].mean(), x[train, 1].mean()])
    scale = torch.stack([x[train, 0].std(), x[train, 1].std()])
    model = Mlp([2, 64, 64, num_classes], generator, x.device)
    optimizer = torch.optim.Adam(model.parameters(), 0.015)
    kept = None

    def predict(points):
        with torch.no_grad():
            return torch.softmax(model((points - shift) / scale), dim=1).T.contiguous().T

    train_losses, val_losses = [], []
    for epoch in range(max_epochs):
        order = torch.randperm(len(train), generator=generator)
        running = []
        for chunk in order.chunk(5):
            rows = [train[i] for i in chunk.tolist()]
            loss = entropy(model((x[rows] - shift) / scale), y[rows])
            for parameter, gradient in zip(model.parameters(), torch.autograd.grad(loss, model.parameters())):
                parameter.grad = gradient
            optimizer.step()
            running.append(float(loss.detach()))
        train_losses.append(sum(running) / len(running))
        with torch.no_grad():
            val_losses.append(float(entropy(model((x[val] - shift) / scale), y[val])))
        best = min(range(len(val_losses)), key=val_losses.__getitem__)
        if best == epoch:
            kept = [parameter.detach().clone() for parameter in model.parameters()]
        if on_epoch is not None:
            on_epoch(epoch, predict)
        if epoch - best >= patience:
            break
    with torch.no_grad():
        for parameter, saved in zip(model.parameters(), kept):
            parameter.copy_(saved)
    guessed = predict(x[test]).argmax(1)
    return {
        "train_loss": train_losses,
        "val_loss": val_losses,
        "best_epoch": best,
        "test_accuracy": (guessed == y[test]).sum().item() / len(test),
        "model": model,
        "predict": predict,
    }
