import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    train_losses, val_losses = [], []
    model.train()
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        train_losses.append(total / count)
        model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for x, y in val_loader:
                total += loss_fn(model(x), y).item() * len(y)
                count += len(y)
        val_losses.append(total / count)
    return train_losses, val_losses
