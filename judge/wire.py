"""Plain data and tensors as bytes; nothing that can execute.

A box and the examiner speak in frames. A frame is two big-endian uint32, the sizes of a JSON text and of the bytes
after it, then both. The JSON holds one value: null, booleans, numbers, strings and lists stand for themselves;
everything else is an object with one key that says what it is:

    {"tuple": [...]}  {"dict": [[key, value], ...]}  {"bytes": size}  {"tensor": [dtype, shape]}  {"opaque": type name}

Bytes and tensors take their content, in order of appearance, from the bytes behind the JSON. The reader trusts
nothing: sizes, depth, keys, dtypes, shapes and the exact use of all bytes are checked, and whatever is off is a
`WireError`. Since answers are kept until a judging ends, what one reader gives out in its whole life is bounded too, in
bytes and in number of values (a list of a million empty lists is small on the wire only).
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass

import torch

MAX_TEXT_BYTES = 2**20
MAX_BLOB_BYTES = 16 * 2**20
MAX_READER_BYTES = 2 * MAX_BLOB_BYTES
MAX_READER_VALUES = 2**17
MAX_DEPTH = 40
MAX_DIMS = 8
MAX_INT = 2**63

_HEADER = struct.Struct(">II")
_SIMPLE = {type(None), bool, float}
_DTYPES = {
    name: getattr(torch, name)
    for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64",
        "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip
_DTYPE_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


class WireError(Exception):
    """The bytes that arrived are not a frame of plain data."""


@dataclass(frozen=True, eq=False)
class Opaque:
    """What a solution returned where plain data was asked for. It equals nothing, not even another one."""

    type_name: str

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


def encode(value: object) -> bytes:
    """One frame that holds `value`. What is not plain data is sent as `Opaque`; raises WireError if too large."""
    blobs: list[bytes] = []
    text = json.dumps(_packed(value, blobs, 0), separators=(",", ":")).encode("ascii")
    blob_bytes = sum(map(len, blobs))
    if len(text) > MAX_TEXT_BYTES or blob_bytes > MAX_BLOB_BYTES:
        raise WireError("the answer is too large")
    return b"".join([_HEADER.pack(len(text), blob_bytes), text, *blobs])


def decode(frame: bytes) -> object:
    """The value of one whole frame; raises WireError."""
    reader = FrameReader()
    values = reader.feed(frame)
    if len(values) != 1 or reader.pending:
        raise WireError("not exactly one frame")
    return values[0]


class FrameReader:
    """Cuts a stream of bytes into the values of its frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._bytes_left = MAX_READER_BYTES
        self._values_left = MAX_READER_VALUES

    @property
    def pending(self) -> bool:
        """Whether part of a frame has arrived."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[object]:
        """The values of the frames that `data` completes; raises WireError at the first malformed one."""
        self._buffer += data
        values = []
        while len(self._buffer) >= _HEADER.size:
            text_bytes, blob_bytes = _HEADER.unpack_from(self._buffer)
            if text_bytes > MAX_TEXT_BYTES or blob_bytes > MAX_BLOB_BYTES:
                raise WireError("the answer is too large")
            if text_bytes + blob_bytes > self._bytes_left:
                raise WireError("the answers are too large together")
            text_end = _HEADER.size + text_bytes
            frame_end = text_end + blob_bytes
            if len(self._buffer) < frame_end:
                break
            text = bytes(self._buffer[_HEADER.size : text_end])
            blob = bytes(self._buffer[text_end:frame_end])
            del self._buffer[:frame_end]
            self._bytes_left -= text_bytes + blob_bytes
            values.append(self._parsed(text, blob))
        return values

    def _parsed(self, text: bytes, blob: bytes) -> object:
        try:
            packed = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise WireError("the answer is not JSON") from error
        unpacker = _Unpacker(blob, self._values_left)
        value = unpacker.value(packed, 0)
        if unpacker.used != len(blob):
            raise WireError("bytes are left over")
        self._values_left = unpacker.values_left
        return value


def _packed(value: object, blobs: list[bytes], depth: int) -> object:
    """`value` as JSON-able data; subclasses of the plain types are sent as those types."""
    if depth == MAX_DEPTH and isinstance(value, (list, tuple, dict)):
        return _opaque(value)
    if type(value) in _SIMPLE:
        return value
    if isinstance(value, int):
        return int(value) if _fits(value) else _opaque(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, torch.Tensor):
        return _packed_tensor(value, blobs)
    if isinstance(value, list):
        return value if _all_simple(value) else [_packed(item, blobs, depth + 1) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_packed(item, blobs, depth + 1) for item in value]}
    if isinstance(value, dict) and all(type(key) is str or (type(key) is int and _fits(key)) for key in value):
        return {"dict": [[key, _packed(item, blobs, depth + 1)] for key, item in value.items()]}
    if isinstance(value, (bytes, bytearray)):
        blobs.append(bytes(value))
        return {"bytes": len(value)}
    if isinstance(value, Opaque):
        return {"opaque": value.type_name}
    return _opaque(value)


def _packed_tensor(tensor: torch.Tensor, blobs: list[bytes]) -> object:
    dtype = _DTYPE_NAMES.get(tensor.dtype)
    if dtype is None or tensor.dim() > MAX_DIMS:
        return _opaque(tensor)
    try:
        plain = tensor.detach().as_subclass(torch.Tensor)
        known_to_numpy = plain.view(torch.int16) if plain.dtype is torch.bfloat16 else plain
        content = known_to_numpy.numpy(force=True).tobytes()
    except (RuntimeError, TypeError, NotImplementedError):  # sparse, meta, quantised: no bytes to send
        return _opaque(tensor)
    blobs.append(content)
    return {"tensor": [dtype, list(plain.shape)]}


def _all_simple(values: list[object]) -> bool:
    """Whether they stand for themselves, all of them. Most answers are long lists of numbers: one look must do.

    What the checker cannot see, it is told to pass: where `kinds` is {int}, all values are integers.
    """
    kinds = set(map(type, values))
    return kinds <= _SIMPLE or (kinds == {int} and _fits(min(values)) and _fits(max(values)))  # type: ignore[type-var, arg-type]


def _fits(number: int) -> bool:
    return -MAX_INT <= number < MAX_INT


def _opaque(value: object) -> object:
    return {"opaque": f"{type(value).__module__}.{type(value).__qualname__}"[:200]}


class _Unpacker:
    def __init__(self, blob: bytes, values_left: int) -> None:
        self.blob = blob
        self.used = 0
        self.values_left = values_left

    def value(self, packed: object, depth: int) -> object:
        if depth > MAX_DEPTH:
            raise WireError("nested too deeply")
        self.values_left -= 1
        if self.values_left < 0:
            raise WireError("too many values")
        if type(packed) in _SIMPLE:
            return packed
        if isinstance(packed, int):
            if not _fits(packed):
                raise WireError("an integer is too large")
            return packed
        if isinstance(packed, str):
            return _sound(packed)
        if isinstance(packed, list):
            if len(packed) <= self.values_left and depth < MAX_DEPTH and _all_simple(packed):
                self.values_left -= len(packed)
                return packed
            return [self.value(item, depth + 1) for item in packed]
        if isinstance(packed, dict) and len(packed) == 1:
            (kind, content), *_ = packed.items()
            return self.tagged(kind, content, depth)
        raise WireError("unknown form")

    def tagged(self, kind: str, content: object, depth: int) -> object:
        if kind == "tuple" and isinstance(content, list):
            return tuple(self.value(item, depth + 1) for item in content)
        if kind == "dict" and isinstance(content, list):
            return dict(self.pair(item, depth) for item in content)
        if kind == "bytes" and type(content) is int:
            return self.take(content)
        if kind == "tensor" and isinstance(content, list) and len(content) == 2:
            return self.tensor(*content)
        if kind == "opaque" and isinstance(content, str):
            return Opaque(_sound(content)[:200])
        raise WireError("unknown form")

    def pair(self, item: object, depth: int) -> tuple[str | int, object]:
        if not isinstance(item, list) or len(item) != 2 or type(item[0]) not in (str, int):
            raise WireError("a dict has a bad key")
        # As a value it is bounded: larger integers could all have one hash, and filling the dict would take hours.
        key = self.value(item[0], depth + 1)
        assert isinstance(key, (str, int))
        return key, self.value(item[1], depth + 1)

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.blob) - self.used:
            raise WireError("bytes are missing")
        self.used += size
        return self.blob[self.used - size : self.used]

    def tensor(self, dtype_name: object, shape: object) -> torch.Tensor:
        dtype = _DTYPES.get(dtype_name) if isinstance(dtype_name, str) else None
        if dtype is None:
            raise WireError("unknown dtype")
        if not isinstance(shape, list) or len(shape) > MAX_DIMS:
            raise WireError("bad shape")
        if not all(type(size) is int and 0 <= size <= 2**31 for size in shape):
            raise WireError("bad shape")
        if math.prod(size for size in shape if size) > 2**40:
            raise WireError("bad shape")
        content = self.take(math.prod(shape) * dtype.itemsize)
        if not content:
            return torch.empty(shape, dtype=dtype)
        if dtype is torch.bool:  # any byte may have been sent; a bool tensor may hold only 0 and 1
            return torch.frombuffer(bytearray(content), dtype=torch.uint8).reshape(shape) != 0
        return torch.frombuffer(bytearray(content), dtype=dtype).reshape(shape)


def _sound(text: str) -> str:
    """`text` without lone surrogates, which no file, database or page can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
