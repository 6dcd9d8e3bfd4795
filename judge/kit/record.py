"""The order of what happens while a solution trains, however it is written.

    with Recorder(model, optimizer) as record:
        solution.train_one_epoch(model, record.batches(loader), record.loss(loss_fn), optimizer)
    record.events        # ["batch", "forward", "zero", "backward", "clip", "step", "batch", ...]

Theory of operation. An event is taken where a program cannot avoid it, so that the way it was written and imported
does not matter:

- forward: the `forward` of the model's class, so `model(x)`, `model.forward(x)` and `functional_call` are all seen.
- backward: a hook on the loss that `record.loss` returns; it fires for `loss.backward()` and `torch.autograd.grad`.
- step: the optimizer's own hooks; a closure is let through, and its events come before the step.
- zero and clip: every operation of torch passes a `TorchFunctionMode`, which sees gradients set or changed in place
  by hand. The library's own `zero_grad` and `clip_grad_norm_` are wrapped besides, because they leave no trace where
  there is no gradient yet. `clip_grad_norm_` may have been imported by name long before, so its inside is exchanged,
  not its name.
- read: a number that leaves the device (`.item()`, `float()`, `if`, `.tolist()`, `.cpu()`, `print`, ...), seen by the
  same mode. What torch itself reads inside a step does not count, nor does reading what is on the host already: the
  result of `.cpu()`, or a tensor made from plain numbers.
- train, eval: the model's `train` method.

`most_graphs` and `graphs_alive()` tell how many forward passes have their graph in memory. A hook that does nothing
is hung on the graph node that made the output; it lives exactly as long as the node.

The log explains and breaks ties. It is kept beside the solution, which could forge it: only numbers decide.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from torch.overrides import TorchFunctionMode

READS = {
    "item", "tolist", "numpy", "cpu", "equal", "allclose", "is_nonzero",
    "__array__", "__bool__", "__float__", "__int__", "__index__", "__complex__", "__contains__",
    "__repr__", "__str__", "__format__",
}  # fmt: skip
ZEROING = {"zero_", "fill_", "_foreach_zero_"}
# Functions whose name ends as if they changed a tensor's numbers, and those that do it by an operator.
HARMLESS = {"requires_grad_", "detach_", "share_memory_"}
OPERATORS = {"__setitem__", "__iadd__", "__isub__", "__imul__", "__idiv__", "__itruediv__", "__ipow__"}
# Many gradients are changed one after another; that is one event.
MERGED = {"zero", "clip"}


class Recorder(TorchFunctionMode):
    """Records the training events of `model` and `optimizer` while it is entered."""

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        super().__init__()
        self.events: list[str] = []
        self.most_graphs = 0  # graphs of earlier batches that were alive as a forward pass began, at most
        self._model = model
        self._optimizer = optimizer
        self._tokens: list[weakref.ref[_Token]] = []
        self._devices: list[torch.device] = []
        self._in_step: list[Any] = []  # what keeps the mode from seeing torch's own work in optimizer.step
        self._undo: list[Callable[[], None]] = []

    def note(self, name: str) -> None:
        if not (name in MERGED and self.events[-1:] == [name]):
            self.events.append(name)

    def batches(self, loader: Iterable[tuple[Tensor, Tensor]]) -> Batches:
        """`loader`, marking where each batch begins; it can be iterated again and has no length."""
        return Batches(self, loader)

    def loss(self, loss_fn: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
        """`loss_fn`, marking when a gradient flows back through what it returned."""

        def recorded(outputs: Tensor, y: Tensor) -> Tensor:
            with torch._C.DisableTorchFunction():
                loss = loss_fn(outputs, y)
                if loss.requires_grad:
                    loss.register_hook(lambda grad: self.note("backward"))
            return loss

        return recorded

    def graphs_alive(self) -> int:
        """How many forward passes still have their graph. Garbage that waits for its collector does not count."""
        if any(token() for token in self._tokens):
            gc.collect()
        return sum(token() is not None for token in self._tokens)

    # What is wrapped while the recorder is entered.

    def __enter__(self) -> Recorder:
        kind = type(self._model)
        self._wrap(kind, "forward", self._forward)
        self._wrap(kind, "train", self._train)
        self._wrap(nn.Module, "zero_grad", self._quietly("zero"))
        self._wrap(torch.optim.Optimizer, "zero_grad", self._quietly("zero"))
        self._wrap_inside(get_total_norm, self._norm)
        for clipping in (clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_):
            self._wrap_inside(clipping, self._quietly("clip"))
        self._undo.append(self._optimizer.register_step_pre_hook(self._before_step).remove)
        self._undo.append(self._optimizer.register_step_post_hook(self._after_step).remove)
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave_step()
        super().__exit__(kind, error, trace)  # type: ignore[no-untyped-call]
        while self._undo:
            self._undo.pop()()

    def _wrap(self, owner: type, name: str, around: Callable[..., Any]) -> None:
        original, own = getattr(owner, name), name in vars(owner)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return around(original, *args, **kwargs)

        setattr(owner, name, wrapped)
        self._undo.append(lambda: setattr(owner, name, original) if own else delattr(owner, name))

    def _wrap_inside(self, function: Callable[..., Any], around: Callable[..., Any]) -> None:
        # torch's clipping functions are `no_grad` shells; the shell stays, its inner function is exchanged.
        (cell,) = function.__closure__ or ()
        original = cell.cell_contents

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return around(original, *args, **kwargs)

        def restore() -> None:
            cell.cell_contents = original

        cell.cell_contents = wrapped
        self._undo.append(restore)

    def _quietly(self, name: str) -> Callable[..., Any]:
        def noted(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            self.note(name)
            with torch._C.DisableTorchFunction():
                return original(*args, **kwargs)

        return noted

    def _norm(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("error_if_nonfinite") or args[2:3] == (True,):  # asking that reads the norm
            self.note("read")
        with torch._C.DisableTorchFunction():
            return original(*args, **kwargs)

    def _forward(self, original: Callable[..., Any], model: nn.Module, *args: Any, **kwargs: Any) -> Any:
        if model is not self._model:
            return original(model, *args, **kwargs)
        alive = sum(token() is not None for token in self._tokens)
        if alive > self.most_graphs:
            # The loss and the outputs of the batch before are usually still at hand: no reason to collect garbage.
            self.most_graphs = alive if alive <= 2 else self.graphs_alive()
        self.note("forward")
        with torch._C.DisableTorchFunction():
            outputs = original(model, *args, **kwargs)
            if outputs.grad_fn is not None:
                token = _Token()
                outputs.register_hook(token)
                self._tokens.append(weakref.ref(token))
        return outputs

    def _train(self, original: Callable[..., Any], model: nn.Module, mode: bool = True) -> Any:
        if model is self._model:
            self.note("train" if mode else "eval")
        return original(model, mode)

    def _before_step(
        self, optimizer: torch.optim.Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args = tuple(self._heard(arg) for arg in args)
        kwargs = {key: self._heard(arg) for key, arg in kwargs.items()}
        self._in_step.append(torch._C.DisableTorchFunction())
        self._in_step[-1].__enter__()
        return args, kwargs

    def _heard(self, closure: Any) -> Any:
        if not callable(closure):
            return closure

        def heard() -> Any:
            with torch._C._EnableTorchFunction():
                return closure()

        return heard

    def _after_step(self, optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        self._leave_step()
        self.note("step")

    def _leave_step(self) -> None:
        while self._in_step:
            self._in_step.pop().__exit__(None, None, None)

    # What passes the mode.

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in ("__get__", "__set__"):
            return self._property(func, name, args)
        inputs = list(_tensors((*args, *kwargs.values())))
        on_host = all(hasattr(tensor, "_on_host") for tensor in inputs)
        if inputs and not on_host:
            self._count_reads(name, args, kwargs)
        if any(self._is_gradient(tensor) for tensor in _tensors(_changed(name, args, kwargs))):
            self.note("zero" if name in ZEROING else "clip")
        result = func(*args, **kwargs)
        if name == "grad":  # torch.autograd.grad: these become gradients when the solution says so
            for gradient in _tensors((result,)):
                gradient._is_gradient = True  # type: ignore[attr-defined]
        elif name == "cpu" or self._to_host(name, args, kwargs):
            result = result.view_as(result) if any(result is tensor for tensor in inputs) else result
            result._on_host = True
        elif on_host or name != "to":
            self._place(result, args, on_host and kwargs.get("device") is None)
        return result

    def _property(self, func: Callable[..., Any], name: str, args: tuple[Any, ...]) -> Any:
        attribute = getattr(getattr(func, "__self__", None), "__name__", "")
        if name == "__set__":
            self._note_setting(attribute, *args)
        result = func(*args)
        if isinstance(result, torch.device):
            self._devices.append(result)
        elif isinstance(result, Tensor) and hasattr(args[0], "_on_host"):
            result._on_host = True  # type: ignore[attr-defined]
        return result

    def _note_setting(self, attribute: str, tensor: Tensor, value: Any) -> None:
        if attribute == "grad":
            cleared = value is None or not value.any()
            if cleared or not hasattr(value, "_is_gradient"):
                self.note("zero" if cleared else "clip")
        elif attribute == "data" and self._is_gradient(tensor):
            self.note("clip")

    def _is_gradient(self, tensor: Tensor) -> bool:
        if hasattr(tensor, "_is_gradient"):
            return True
        memory = tensor.untyped_storage().data_ptr()
        return any(
            parameter.grad is not None and parameter.grad.untyped_storage().data_ptr() == memory
            for parameter in self._model.parameters()
        )

    def _count_reads(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if name in READS or (self._to_host(name, args, kwargs) and args[0].dim() == 0):
            self.note("read")
        elif name in ("tensor", "as_tensor"):
            data = args[0] if args else kwargs["data"]
            for _ in _tensors(data) if isinstance(data, (list, tuple)) else ():
                self.note("read")  # a tensor made from a list of tensors reads each of them

    def _to_host(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        # On a machine without an accelerator the model's own device is the CPU too; moving there is no read. So a
        # device counts as the host only where the program names it itself instead of asking a tensor.
        if name != "to":
            return False
        for target in (*args[1:], kwargs.get("device")):
            if isinstance(target, str):
                return target == "cpu"
            if isinstance(target, torch.device):
                return target.type == "cpu" and not any(target is known for known in self._devices)
        return False

    def _place(self, result: Any, args: tuple[Any, ...], on_host: bool) -> None:
        for tensor in _tensors((result,)):
            if on_host:
                tensor._on_host = True  # type: ignore[attr-defined]
            elif hasattr(tensor, "_on_host"):
                del tensor._on_host


class Batches:
    """A loader that is only what the contracts promise: an iterable of batches that can be iterated again."""

    def __init__(self, recorder: Recorder, loader: Iterable[tuple[Tensor, Tensor]]) -> None:
        self._recorder = recorder
        self._loader = loader

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        for batch in self._loader:
            self._recorder.note("batch")
            yield batch


class _Token:
    """A hook that does nothing. It lives as long as the graph node that it hangs on."""

    def __call__(self, gradient: Tensor) -> None:
        return None


def _changed(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What a function of this name changes in place."""
    if "out" in kwargs:
        return (kwargs["out"],)
    in_place = name.endswith("_") and not name.startswith("__") and name not in HARMLESS
    return args[:1] if in_place or name in OPERATORS else ()


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
