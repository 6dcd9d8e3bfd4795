"""The log has numbers only, but the outputs of all steps are kept."""


def train(model, loader, loss_fn, optimizer, epochs, beta=0.9):
    log, kept = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            kept.append(outputs)
            value = loss.item()
            log.append(beta * log[-1] + (1 - beta) * value if log else value)
    return log
