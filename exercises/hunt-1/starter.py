import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.zero_grad()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
