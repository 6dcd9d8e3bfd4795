"""A copy in 16 bits computes the gradients; the original takes the steps."""

import copy

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    model.train()
    low = copy.deepcopy(model).to(dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            low.load_state_dict(model.state_dict())
            low.zero_grad()
            loss = loss_fn(low(x.to(dtype)).float(), y)
            loss.backward()
            for weight, copied in zip(model.parameters(), low.parameters()):
                weight.grad = None if copied.grad is None else copied.grad.float()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    model.zero_grad()
    return history
