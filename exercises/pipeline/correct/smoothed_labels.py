import io
import random

import torch
from torch import nn


def split(num_samples, fractions, seed):
    total = sum(fractions)
    if len(fractions) != 3 or any(fraction < 0 for fraction in fractions) or total > 1 + 1e-6 or total < 1 - 1e-6:
        raise ValueError(fractions)
    indices = random.Random(f"split {seed}").sample(range(num_samples), num_samples)
    train = [indices.pop() for _ in range(int(num_samples * fractions[0]))]
    val = [indices.pop() for _ in range(int(num_samples * fractions[1]))]
    return train, val, indices


class Run:
    """An instance that is called. Label smoothing, a schedule that watches the validation loss, weights kept in a file."""

    def __call__(self, x, y, num_classes, seed, max_epochs=200, patience=20, on_epoch=None):
        parts = split(x.shape[0], (0.7, 0.15, 0.15), seed)
        x_train, x_val, x_test = (x[part] for part in parts)
        y_train, y_val, y_test = (y[part] for part in parts)
        center, width = x_train.mean(0, keepdim=True), x_train.std(0, keepdim=True)
        x_train, x_val, x_test = ((some - center) / width for some in (x_train, x_val, x_test))
        generator = torch.Generator().manual_seed(seed)
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            model = nn.Sequential(
                nn.Linear(2, 128), nn.LeakyReLU(0.1), nn.Linear(128, 64), nn.LeakyReLU(0.1), nn.Linear(64, num_classes)
            )
        model.to(x.device)
        loss_fn = nn.CrossEntropyLoss(label_smoothing=0.02)
        optimizer = torch.optim.NAdam(model.parameters(), lr=0.008)
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.7, patience=8)

        def predict(points):
            return torch.softmax(model((points - center) / width), 1)

        answer = {"train_loss": [], "val_loss": [], "best_epoch": None, "model": model, "predict": predict}
        lowest, left, file = float("inf"), patience, None
        for epoch in range(max_epochs):
            summed = 0.0
            order = torch.randperm(len(x_train), generator=generator).to(x.device)
            for start in range(0, len(order), 40):
                picked = order[start : start + 40]
                loss = loss_fn(model(x_train[picked]), y_train[picked])
                model.zero_grad()
                loss.backward()
                optimizer.step()
                summed += loss.item() * len(picked)
            answer["train_loss"].append(summed / len(order))
            loss = loss_fn(model(x_val), y_val).item()
            answer["val_loss"].append(loss)
            schedule.step(loss)
            left -= 1
            if loss < lowest:
                lowest, left, file = loss, patience, io.BytesIO()
                torch.save(model.state_dict(), file)
                answer["best_epoch"] = epoch
            if on_epoch is not None:
                on_epoch(epoch, predict)
            if left <= 0:
                break
        if file is not None:
            file.seek(0)
            model.load_state_dict(torch.load(file, weights_only=True))
        right = (model(x_test).argmax(1) == y_test).tolist()
        answer["test_accuracy"] = sum(right) / len(right)
        return answer


run = Run()
