import copy
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


def split(num_samples, fractions, seed):
    fractions = [float(fraction) for fraction in fractions]
    if len(fractions) != 3:
        raise ValueError("three fractions, please")
    if any(not fraction >= 0 for fraction in fractions) or not math.isclose(sum(fractions), 1, rel_tol=0, abs_tol=1e-6):
        raise ValueError(f"these are no fractions: {fractions}")
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(num_samples, generator=generator)
    a, b = (int(num_samples * fraction) for fraction in fractions[:2])
    return tuple(part.tolist() for part in order.tensor_split([a, a + b]))


class Standardised(nn.Module):
    """The scaling belongs to the network: it takes raw points, and its state has the statistics."""

    def __init__(self, x, num_classes):
        super().__init__()
        self.register_buffer("mean", x.mean(dim=0))
        self.register_buffer("std", x.std(dim=0, unbiased=False).clamp_min(1e-8))
        self.body = nn.Sequential(
            nn.Linear(2, 96), nn.BatchNorm1d(96), nn.ReLU(), nn.Linear(96, 96), nn.BatchNorm1d(96), nn.ReLU(),
            nn.Dropout(0.05), nn.Linear(96, num_classes),
        )  # fmt: skip

    def forward(self, x):
        return self.body((x - self.mean) / self.std)


class Stopper:
    def __init__(self, patience):
        self.patience = patience
        self.lowest, self.epoch, self.state, self.waited = math.inf, None, None, 0

    def done(self, epoch, loss, model):
        if loss < self.lowest:
            self.lowest, self.epoch, self.waited = loss, epoch, 0
            self.state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        else:
            self.waited += 1
        return self.waited >= self.patience


def measured(model, loader):
    model.eval()
    loss = right = count = 0
    with torch.inference_mode():
        for x, y in loader:
            logits = model(x)
            loss += nn.functional.cross_entropy(logits, y, reduction="sum").item()
            right += (logits.argmax(1) == y).sum().item()
            count += len(y)
    return loss / count, right / count


def run(x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
    torch.manual_seed(seed)
    data = TensorDataset(x, y)
    train, val, test = (Subset(data, part) for part in split(len(data), (0.7, 0.15, 0.15), seed))
    loader = DataLoader(train, batch_size=45, shuffle=True)
    val_loader, test_loader = DataLoader(val, batch_size=16), DataLoader(test, batch_size=16)
    model = Standardised(x[train.indices], num_classes).to(x.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    stopper = Stopper(patience)

    def predict(points, model=model):
        was_training = model.training
        model.eval()
        with torch.no_grad():
            answer = model(points).softmax(-1)
        model.train(was_training)
        return answer

    history = {"train_loss": [], "val_loss": []}
    for epoch in range(max_epochs):
        model.train()
        losses = []
        for xb, yb in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item() * len(yb))
        history["train_loss"].append(sum(losses) / len(train))
        loss, _ = measured(model, val_loader)
        history["val_loss"].append(loss)
        done = stopper.done(epoch, loss, model)
        if on_epoch:
            on_epoch(epoch, predict)
        if done:
            break
    if stopper.state is not None:
        model.load_state_dict(stopper.state)
    _, accuracy = measured(model, test_loader)
    kept = copy.deepcopy(model).eval()
    return {
        **history,
        "best_epoch": stopper.epoch,
        "test_accuracy": accuracy,
        "model": kept,
        "predict": lambda points: predict(points, kept),
        "stopped_early": stopper.waited >= patience,
    }
