"""Asks autograd for the gradients; `.grad` is written after the clipping factor is known."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = {"loss": [], "largest_norm": []}
    for _ in range(epochs):
        model.train()
        total, count, largest = 0.0, 0, 0.0
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
            gradients = torch.autograd.grad(loss, trained)
            norm = torch.nn.utils.get_total_norm(gradients)
            for parameter, gradient in zip(trained, gradients):
                parameter.grad = gradient * min(1.0, max_norm / (norm.item() + 1e-6))
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, norm.item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
