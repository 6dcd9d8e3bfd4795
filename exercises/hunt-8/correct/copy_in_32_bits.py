"""A copy in 32 bits takes the steps for the whole run; the model gets its weights at the end."""

import copy

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    full = copy.deepcopy(model)
    optimizer = torch.optim.SGD(full.parameters(), lr=lr, momentum=0.9)
    model.to(dtype).train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            model.zero_grad()
            loss = loss_fn(model(x.to(dtype)).float(), y)
            loss.backward()
            for weight, low in zip(full.parameters(), model.parameters()):
                weight.grad = low.grad.float()
            optimizer.step()
            model.load_state_dict(full.state_dict())
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    model.float().load_state_dict(full.state_dict())
    return history
