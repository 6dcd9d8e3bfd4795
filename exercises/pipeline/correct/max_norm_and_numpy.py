import copy

import numpy
import torch
from torch import nn

EPSILON = 1e-12


def split(num_samples, fractions, seed):
    if not (len(fractions) == 3 and all(f >= 0 for f in fractions) and abs(sum(fractions) - 1) <= 1e-6):
        raise ValueError("fractions")
    stream = numpy.random.Generator(numpy.random.PCG64(seed))
    indices = numpy.arange(num_samples)
    stream.shuffle(indices)
    indices = indices.tolist()
    train = indices[: int(num_samples * fractions[0])]
    rest = indices[len(train) :]
    val = rest[: int(num_samples * fractions[1])]
    return train, val, rest[len(val) :]


class Pipeline:
    def __init__(self, num_classes, seed, device):
        torch.manual_seed(seed)
        numpy.random.seed(seed % 2**32)
        self.model = nn.Sequential()
        for i, (a, b) in enumerate([(2, 100), (100, 100)]):
            self.model.add_module(f"hidden{i}", nn.Linear(a, b))
            self.model.add_module(f"active{i}", nn.ELU())
        self.model.add_module("out", nn.Linear(100, num_classes))
        self.model.to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.012, weight_decay=1e-5)

    def scale_with(self, x):
        self.low, self.span = x.mean(axis=0), x.std(axis=0) + EPSILON

    def logits(self, x):
        return self.model.forward((x - self.low) / self.span)

    def predict(self, points):
        self.model.eval()
        with torch.no_grad():
            return torch.nn.functional.softmax(self.logits(points), dim=1)

    def epoch(self, x, y, size=32):
        self.model.train()
        order = numpy.random.permutation(len(x))
        losses = []
        for start in range(0, len(order), size):
            rows = torch.from_numpy(order[start : start + size]).to(x.device)
            self.optimizer.zero_grad()
            loss = nn.functional.nll_loss(self.logits(x[rows]).log_softmax(1), y[rows])
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
            self.optimizer.step()
            losses += [loss.detach()] * len(rows)
        return torch.stack(losses).mean().item()

    def loss(self, x, y):
        self.model.eval()
        with torch.no_grad():
            return nn.functional.cross_entropy(self.logits(x), y).item()


def run(x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
    train, val, test = split(len(x), (0.7, 0.15, 0.15), seed)
    pipeline = Pipeline(num_classes, seed, x.device)
    pipeline.scale_with(x[train])
    train_loss, val_loss = [], []
    best_state, best_epoch, bad = copy.deepcopy(pipeline.model.state_dict()), None, 0
    epoch = 0
    while epoch < max_epochs and bad < patience:
        train_loss += [pipeline.epoch(x[train], y[train])]
        val_loss += [pipeline.loss(x[val], y[val])]
        bad += 1
        if best_epoch is None or val_loss[-1] < val_loss[best_epoch]:
            best_state, best_epoch, bad = copy.deepcopy(pipeline.model.state_dict()), epoch, 0
        if on_epoch is not None:
            on_epoch(epoch, pipeline.predict)
        epoch += 1
    pipeline.model.load_state_dict(best_state)
    right = pipeline.predict(x[test]).argmax(1).cpu().numpy() == y[test].cpu().numpy()
    return {
        "predict": pipeline.predict,
        "model": pipeline.model,
        "test_accuracy": float(right.mean()),
        "best_epoch": best_epoch,
        "val_loss": val_loss,
        "train_loss": train_loss,
    }
