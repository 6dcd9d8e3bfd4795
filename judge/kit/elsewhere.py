"""Batches that lie on another device, on a machine that has only one.

    with Elsewhere(batches):
        solution.train_one_epoch(model, batches, loss_fn, optimizer)

Theory of operation. The tensors are ordinary ones on the CPU, but while the mode is entered they say that they are on
`cuda:0`, and so does whatever is computed from them. Mixing one with a tensor that is here raises the error that torch
raises on a machine with both devices; moving it here, in any way torch knows, gives an ordinary tensor. `on_offer` has
torch say that there is such a device at all: a program that moves its batches to whatever there is, and not to the
model, leaves them away.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

AWAY = torch.device("cuda", 0)
MIXES_DEVICES = {"to", "copy_", "type_as", "__get__", "__set__"}


class Elsewhere(TorchFunctionMode):
    """Holds every tensor of `batches` on another device while it is entered."""

    def __init__(self, batches: Iterable[tuple[Tensor, ...]]) -> None:
        super().__init__()
        for tensor in _tensors(batches):
            tensor._away = True  # type: ignore[attr-defined]

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        inputs = list(_tensors((*args, *kwargs.values())))
        if not any(hasattr(tensor, "_away") for tensor in inputs):
            return func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name == "__get__":
            return self._property(func, args)
        if name not in MIXES_DEVICES and any(not hasattr(tensor, "_away") and tensor.dim() for tensor in inputs):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
            )
        target = self._target(name, args, kwargs)
        if target == AWAY and name in ("to", "cuda"):
            return args[0]
        result = func(*args, **kwargs)
        for tensor in _tensors((result,)):
            if target is None or target == AWAY:
                tensor._away = True  # type: ignore[attr-defined]
            elif hasattr(tensor, "_away"):  # moving a tensor to where it really is gives the tensor itself
                result = tensor.clone()
        return result

    def _property(self, func: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        attribute = getattr(getattr(func, "__self__", None), "__name__", "")
        if attribute in ("device", "is_cuda", "is_cpu"):
            return {"device": AWAY, "is_cuda": True, "is_cpu": False}[attribute]
        result = func(*args)
        for tensor in _tensors((result,)):
            tensor._away = True  # type: ignore[attr-defined]
        return result

    def _target(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> torch.device | None:
        """Where the result is asked to be; None where it stays with its first input."""
        if name == "cpu":
            return torch.device("cpu")
        if name == "cuda":
            return AWAY
        if name == "copy_":
            return AWAY if hasattr(args[0], "_away") else torch.device("cpu")
        asked = [kwargs.get("device")]
        if name in ("to", "type_as"):
            asked += [*args[1:], kwargs.get("other")]
        for target in asked:
            if isinstance(target, Tensor):
                return AWAY if hasattr(target, "_away") else torch.device("cpu")
            if isinstance(target, (str, torch.device)):
                device = torch.device(target)
                return AWAY if device.type == AWAY.type else device  # `cuda` means `cuda:0`
        return None


@contextlib.contextmanager
def on_offer() -> Iterator[None]:
    """Has `torch.cuda.is_available()` say yes."""
    kept = torch.cuda.is_available
    if not torch.backends.cuda.is_built():  # a torch that is would believe it, and call on the device by itself
        torch.cuda.is_available = lambda: True
    try:
        yield
    finally:
        torch.cuda.is_available = kept


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
