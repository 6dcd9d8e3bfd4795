"""Batches that lie on another device than all else, on a machine that has only one.

    with Elsewhere(batches):             # the batches say that they are on cuda:0
        solution.train_one_epoch(model, batches, loss_fn, optimizer)

    with Elsewhere(batches, here=CUDA):  # the batches are on the CPU, and all else says that it is on cuda:0

Theory of operation. All tensors are ordinary ones on the CPU, but while the mode is entered they say where they are:
the batches *there*, and whatever is computed from them; all else *here*. Mixing the two raises the error that torch
raises on a machine with both devices, and is remembered in `mixed`; moving a tensor from there to here, in any way that
torch knows, gives an ordinary tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeGuard

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

CPU, CUDA = torch.device("cpu"), torch.device("cuda", 0)
MIXES_DEVICES = {"to", "copy_", "type_as", "__set__"}
MOVES = {"to", "cpu", "cuda", "type_as", "as_tensor", "asarray"}


class Elsewhere(TorchFunctionMode):
    """Holds every tensor of `batches` on another device than `here` while it is entered."""

    def __init__(self, batches: Iterable[tuple[Tensor, ...]], here: torch.device = CPU) -> None:
        super().__init__()
        self.mixed = False  # whether tensors of two devices have met
        self._here, self._there = here, CUDA if here == CPU else CPU
        for tensor in _tensors(batches):
            _mark(tensor)

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "__get__" and (attribute := getattr(getattr(func, "__self__", None), "__name__", "")) in PLACES:
            return PLACES[attribute](self._place(args[0]))
        inputs = list(_tensors((*args, *kwargs.values())))
        place = self._target(name, args, kwargs) or self._meeting(inputs, checked=name not in MIXES_DEVICES)
        result = _done(func, name, args, kwargs)
        if any(result is tensor and self._place(tensor) != place for tensor in inputs) and name in MOVES:
            result = result.clone()  # torch gives what is there already as it is, and this one really was
        for tensor in _tensors((result,)):
            if place == self._there:
                _mark(tensor)
        return result

    def _meeting(self, tensors: list[Tensor], *, checked: bool) -> torch.device:
        """Where something made of `tensors` is: a number on the CPU goes with any, more than a number does not."""
        places = {self._place(tensor) for tensor in tensors}
        if checked and CUDA in places and any(tensor.dim() and self._place(tensor) == CPU for tensor in tensors):
            self.mixed = True
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
            )
        return CUDA if CUDA in places else CPU if places else self._here

    def _place(self, tensor: Tensor) -> torch.device:
        return self._there if hasattr(tensor, "_there") else self._here

    def _target(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> torch.device | None:
        """Where the result is asked to be; None where it stays with its inputs."""
        if name in ("cpu", "cuda"):
            return CPU if name == "cpu" else CUDA
        if name == "copy_":
            return self._place(args[0])
        asked = [kwargs.get("device")]
        if name in ("to", "type_as"):
            asked += [*args[1:], kwargs.get("other")]
        for target in asked:
            if isinstance(target, Tensor):
                return self._place(target)
            if _is_device(target):
                return CPU if torch.device(target).type == "cpu" else CUDA
        return None


PLACES: dict[str, Callable[[torch.device], object]] = {
    "device": lambda place: place,
    "is_cuda": lambda place: place == CUDA,
    "is_cpu": lambda place: place == CPU,
}


def _done(func: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `func` gives on the CPU, whatever device it is asked for."""
    if name in ("cpu", "cuda"):
        return args[0]
    if name == "to":
        args = tuple(CPU if _is_device(value) else value for value in args)
    return func(*args, **({**kwargs, "device": CPU} if kwargs.get("device") is not None else kwargs))


def _mark(tensor: Tensor) -> None:
    """Have the tensor be there."""
    tensor._there = True  # type: ignore[attr-defined]  # tensors take attributes, of which torch's types know nothing


def _is_device(value: Any) -> TypeGuard[str | torch.device | int]:
    return isinstance(value, (str, torch.device)) or type(value) is int


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
