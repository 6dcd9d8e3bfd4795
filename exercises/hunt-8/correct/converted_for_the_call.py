"""The model is in 16 bits while it computes, and gets its 32 bits back before each step."""

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    model.train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            kept = [weight.detach().clone() for weight in model.parameters()]
            optimizer.zero_grad()
            model.to(dtype)
            outputs = model(x.to(dtype))
            loss = loss_fn(outputs.float(), y)
            loss.backward()
            model.float()
            for weight, copied in zip(model.parameters(), kept, strict=True):
                weight.data.copy_(copied)
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
