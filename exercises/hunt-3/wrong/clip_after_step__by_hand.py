"""Measures before the step, shortens by hand after it."""


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            norm = sum(gradient.norm().item() ** 2 for gradient in gradients) ** 0.5
            losses.append(loss.item())
            norms.append(norm)
            optimizer.step()
            if norm > max_norm:
                for gradient in gradients:
                    gradient *= max_norm / norm
    return losses, norms
