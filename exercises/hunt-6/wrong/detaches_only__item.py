import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    train_losses, val_losses = [], []
    for _ in range(epochs):
        model.train()
        losses, count = [], 0
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach() * len(y))
            count += len(y)
        train_losses.append(torch.stack(losses).sum().item() / count)
        model.eval()
        losses, count = [], 0
        for x, y in val_loader:
            losses.append(loss_fn(model(x), y).item() * len(y))
            count += len(y)
        val_losses.append(sum(losses) / count)
    return train_losses, val_losses
