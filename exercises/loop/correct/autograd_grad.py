"""torch.autograd.grad instead of backward; the gradients are scaled with foreach and then handed to the optimizer."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    trained = [p for p in model.parameters() if p.requires_grad]
    device = trained[0].device
    model.train()
    loss_sum, samples = torch.zeros((), device=device), 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        gradients = torch.autograd.grad(loss, trained)
        norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
        factor = (max_norm / norm).clamp(max=1.0)
        for p, gradient in zip(trained, torch._foreach_mul(gradients, factor)):
            p.grad = gradient
        optimizer.step()
        loss_sum.add_(loss.detach(), alpha=len(y))
        samples += len(y)
    return loss_sum.div(samples).item()
