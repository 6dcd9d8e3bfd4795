"""backward gets the scale as its gradient; one number is read for both answers; gradients are cleared by hand."""

import torch
from torch.func import functional_call


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    with torch.autocast(x.device.type, dtype=dtype, enabled=True):
        outputs = functional_call(model, dict(model.named_parameters()), (x,))
        loss = loss_fn(outputs, y)
    for p in model.parameters():
        p.grad = None
    loss.backward(gradient=scaler.scale(torch.ones_like(loss)))
    scaler.unscale_(optimizer)
    squares = sum(p.grad.square().sum() for p in model.parameters() if p.grad is not None)
    factor = torch.clamp(max_norm / (squares.sqrt() + 1e-6), max=1.0)
    with torch.no_grad():
        torch._foreach_mul_([p.grad for p in model.parameters() if p.grad is not None], factor)
    old = scaler.state_dict().get("scale", 1.0)
    scaler.step(optimizer=optimizer)
    scaler.update()
    new = scaler.state_dict().get("scale", 1.0)
    return loss.item(), bool(new >= old)
