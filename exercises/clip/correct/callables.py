"""Instances and partials instead of functions."""

import functools
import math
import statistics

import torch


class Study:
    def __call__(self, model, loader, loss_fn, optimizer, num_steps):
        model.train()
        self_norms = torch.zeros(num_steps, dtype=torch.float64)
        done = 0
        while done < num_steps:
            for x, y in loader:
                if done == num_steps:
                    break
                optimizer.zero_grad()
                loss = loss_fn(model(x), y)
                loss.backward()
                vector = torch.cat([p.grad.reshape(-1) for p in model.parameters() if p.grad is not None])
                self_norms[done] = torch.linalg.vector_norm(vector)
                optimizer.step()
                done += 1
        print(f"{done} steps measured")
        return self_norms.tolist()


def _threshold(limit, norms, factor=1.5):
    start = len(norms) - math.ceil(len(norms) / 2)
    late = sorted(norm for norm in norms[start:] if norm < limit)
    if not late:
        raise ValueError("no finite norm")
    return factor * (late[(len(late) - 1) // 2] + late[len(late) // 2]) / 2


class Found(list):
    pass


def _spikes(kind, norms, window=20, ratio=3.0):
    found = kind()
    for step in range(window, len(norms)):
        before = [value for value in norms[step - window : step] if math.isfinite(value)]
        if not math.isfinite(norms[step]) or norms[step] > ratio * (statistics.median(before) if before else math.inf):
            found.append(step)
    return found


def _share(is_nan, norms, threshold):
    return sum(is_nan(norm) or norm > threshold or norm == math.inf for norm in norms) / (len(norms) or 1)


gradient_norms = Study()
choose_threshold = functools.partial(_threshold, math.inf)
spikes = functools.partial(_spikes, Found)
clipped_share = functools.partial(_share, math.isnan)
