import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
            for gradient in [p.grad for p in model.parameters() if p.grad is not None]:
                gradient.mul_(max_norm / (norm + 1e-6))
            optimizer.step()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
