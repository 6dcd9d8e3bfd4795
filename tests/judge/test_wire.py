"""The wire: whatever is plain data arrives as it was; whatever else arrives does nothing."""

from __future__ import annotations

import json
import math
import struct
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from judge import wire
from judge.kit import close

DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
]  # fmt: skip
QUICK = settings(max_examples=40, deadline=None)


def frame(text: bytes, blob: bytes = b"") -> bytes:
    return struct.pack(">II", len(text), len(blob)) + text + blob


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    dtype = draw(st.sampled_from(DTYPES))
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    if dtype is torch.bool:
        return (
            torch.tensor(draw(st.lists(st.booleans(), min_size=math.prod(shape), max_size=math.prod(shape))))
            .to(torch.bool)
            .reshape(shape)
        )
    size = math.prod(shape) * dtype.itemsize
    content = draw(st.binary(min_size=size, max_size=size))
    if not content:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(content), dtype=dtype).reshape(shape)


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
    | tensors()
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | st.integers(-(2**63), 2**63 - 1)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)


def bits(value: object) -> object:
    """`value` with its tensors and floats as bytes, so that NaN can be compared too."""
    if isinstance(value, torch.Tensor):
        flat = value.contiguous().reshape(-1)
        return (str(value.dtype), tuple(value.shape), flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("d", value)
    if isinstance(value, (list, tuple)):
        return (type(value), [bits(item) for item in value])
    if isinstance(value, dict):
        return (dict, [(key, type(key), bits(item)) for key, item in value.items()])
    return (type(value), value)


@QUICK
@given(PLAIN)
def test_plain_data_arrives_as_it_was(value: object) -> None:
    assert bits(wire.decode(wire.encode(value))) == bits(value)


@QUICK
@given(st.lists(PLAIN, min_size=1, max_size=4), st.integers(1, 50))
def test_frames_arrive_in_pieces(values: list[object], step: int) -> None:
    stream = b"".join(map(wire.encode, values))
    reader = wire.FrameReader()
    arrived = [value for start in range(0, len(stream), step) for value in reader.feed(stream[start : start + step])]
    assert bits(arrived) == bits(values)
    assert not reader.pending


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_values_or_a_wire_error(data: bytes) -> None:
    with suppress(wire.WireError):
        wire.FrameReader().feed(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tuple", "dict", "bytes", "tensor", "opaque", "x"]), inner, max_size=2)
    ),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None)
@given(JSON, st.binary(max_size=40))
def test_any_json_is_a_value_or_a_wire_error(packed: object, blob: bytes) -> None:
    try:
        value = wire.decode(frame(json.dumps(packed).encode(), blob))
    except wire.WireError:
        return
    json.dumps(bits_of_text(value))  # every string can be stored
    assert bits(wire.decode(wire.encode(value))) == bits(value) or "Opaque" in repr(value)


def bits_of_text(value: object) -> str:
    return repr(value).encode().decode()


@QUICK
@given(PLAIN, st.data())
def test_a_changed_byte_is_a_value_or_a_wire_error(value: object, data: st.DataObject) -> None:
    changed = bytearray(wire.encode(value))
    changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    with suppress(wire.WireError):
        wire.FrameReader().feed(bytes(changed))


MALFORMED = {
    "not JSON": frame(b"{"),
    "no text": frame(b""),
    "not UTF-8": frame(b'"\xff"'),
    "two values": frame(b"1 2"),
    "empty object": frame(b"{}"),
    "two keys": frame(b'{"tuple":[],"dict":[]}'),
    "unknown kind": frame(b'{"pickle":[]}'),
    "a tuple of nothing": frame(b'{"tuple":null}'),
    "a dict that is an object": frame(b'{"dict":{}}'),
    "a pair of three": frame(b'{"dict":[[1,2,3]]}'),
    "a key that is a list": frame(b'{"dict":[[[],1]]}'),
    "a key that is a bool": frame(b'{"dict":[[true,1]]}'),
    "a key that is a float": frame(b'{"dict":[[1.5,1]]}'),
    "a huge key": frame(b'{"dict":[[%d,1]]}' % 2**64),
    "a huge integer": frame(b"%d" % 2**63),
    "an integer of 5000 digits": frame(b"1" * 5000),
    "bytes that are not there": frame(b'{"bytes":1}'),
    "bytes of negative size": frame(b'{"bytes":-1}', b"x"),
    "bytes of a true size": frame(b'{"bytes":true}', b"x"),
    "bytes left over": frame(b"1", b"x"),
    "a tensor without shape": frame(b'{"tensor":["float32"]}'),
    "a tensor of objects": frame(b'{"tensor":["object",[1]]}', b"x" * 8),
    "a dtype that is a list": frame(b'{"tensor":[[],[1]]}'),
    "an attribute of torch": frame(b'{"tensor":["load",[1]]}'),
    "a negative shape": frame(b'{"tensor":["uint8",[-1]]}'),
    "two negative sizes": frame(b'{"tensor":["uint8",[-1,-1]]}', b"x"),
    "a shape of bools": frame(b'{"tensor":["uint8",[true]]}', b"x"),
    "a shape of floats": frame(b'{"tensor":["uint8",[1.0]]}', b"x"),
    "nine dimensions": frame(b'{"tensor":["uint8",[1,1,1,1,1,1,1,1,1]]}', b"x"),
    "a shape larger than memory": frame(b'{"tensor":["uint8",[2147483648,2147483648,2147483648]]}'),
    "an empty shape larger than memory": frame(b'{"tensor":["uint8",[0,2147483648,2147483648,2147483648]]}'),
    "a size of 2**40": frame(b'{"tensor":["uint8",[0,1099511627776]]}'),
    "nested deeper than allowed": frame(b"[" * 60 + b"]" * 60),
    "nested deeper than the parser": frame(b"[" * 100_000),
    "too many values": frame(b"[" + b"[]," * (2**17) + b"[]]"),
    "text larger than allowed": struct.pack(">II", wire.MAX_TEXT_BYTES + 1, 0),
    "bytes larger than allowed": struct.pack(">II", 0, wire.MAX_BLOB_BYTES + 1),
    "everything at once": b"\xff" * 8,
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_malformed(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.FrameReader().feed(data)


def test_one_frame_is_neither_less_nor_more() -> None:
    one = wire.encode(1)
    for data in (b"", one[:-1], one + one, one + b"\0"):
        with pytest.raises(wire.WireError):
            wire.decode(data)


def peak_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("item", [b"[]", b"1e9"])
def test_text_takes_a_bounded_multiple_of_its_size(item: bytes) -> None:
    text = b"[" + b",".join([item] * ((wire.MAX_TEXT_BYTES - 2) // (len(item) + 1))) + b"]"

    def read() -> None:
        with suppress(wire.WireError):
            wire.decode(frame(text))

    assert peak_bytes(read) < 100 * wire.MAX_TEXT_BYTES


def test_a_promised_size_takes_no_memory() -> None:
    promise = struct.pack(">II", wire.MAX_TEXT_BYTES, wire.MAX_BLOB_BYTES)
    assert peak_bytes(lambda: wire.FrameReader().feed(promise)) < 100_000


def test_a_frame_that_trickles_in_takes_its_size() -> None:
    whole = wire.encode(torch.zeros(2**18, dtype=torch.uint8))
    reader = wire.FrameReader()

    def trickle() -> None:
        for start in range(0, len(whole), 1000):
            reader.feed(whole[start : start + 1000])

    assert peak_bytes(trickle) < 5 * len(whole)


def test_a_reader_gives_out_a_bounded_amount_in_its_life() -> None:
    large = wire.encode(torch.zeros(wire.MAX_BLOB_BYTES, dtype=torch.uint8))
    reader = wire.FrameReader()
    reader.feed(large)
    with pytest.raises(wire.WireError):
        reader.feed(large)

    many = wire.encode([None] * (2**16))
    reader = wire.FrameReader()
    reader.feed(many)
    with pytest.raises(wire.WireError):
        reader.feed(many)


def test_keys_with_one_hash_are_refused_before_they_are_inserted() -> None:
    # All are 0 modulo 2**61 - 1, Python's modulus for hashing integers: a dict of them takes time by the square.
    pairs = b",".join(b"[%d,0]" % (number * (2**61 - 1)) for number in range(20_000))
    with pytest.raises(wire.WireError):
        wire.decode(frame(b'{"dict":[' + pairs + b"]}"))


class Sub(int):
    def __repr__(self) -> str:
        return "lie"


class SubFloat(float):
    def __float__(self) -> float:
        return 0.0


class SubTensor(torch.Tensor):
    pass


def test_subclasses_arrive_as_what_they_are_made_of() -> None:
    assert wire.decode(wire.encode(Sub(7))) == 7
    assert type(wire.decode(wire.encode(Sub(7)))) is int
    assert type(wire.decode(wire.encode(SubFloat(1.5)))) is float
    arrived = wire.decode(wire.encode(torch.arange(3).as_subclass(SubTensor)))  # type: ignore[no-untyped-call]
    assert type(arrived) is torch.Tensor
    assert arrived.tolist() == [0, 1, 2]
    assert type(wire.decode(wire.encode(torch.nn.Parameter(torch.ones(2))))) is torch.Tensor


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1.5: 1},
        {(1,): 1},
        {True: 1},
        {2**63: 1},
        {1, 2},
        1j,
        2**63,
        range(3),
        print,
        torch.float32,
        torch.zeros(2).to_sparse(),
        torch.zeros(2, device="meta"),
        torch.zeros([1] * 9),
    ],
    ids=repr,
)
def test_what_is_no_plain_data_arrives_as_opaque(value: object) -> None:
    arrived = wire.decode(wire.encode([value]))
    assert isinstance(arrived, list)
    assert isinstance(arrived[0], wire.Opaque)
    assert not close(arrived[0], arrived[0])
    assert arrived[0].type_name.rpartition(".")[2] == type(value).__qualname__


def test_what_is_nested_too_deeply_arrives_as_opaque_where_it_gets_too_deep() -> None:
    value: object = 1
    for _ in range(100):
        value = [value]
    arrived = wire.decode(wire.encode(value))
    depth = 0
    while isinstance(arrived, list):
        (arrived,) = arrived
        depth += 1
    assert isinstance(arrived, wire.Opaque)
    assert depth == wire.MAX_DEPTH


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(6).reshape(2, 3).t(),
        torch.ones(1).expand(5),
        torch.zeros(0, 3),
        torch.zeros(0)[::2],
        torch.tensor(2.5, requires_grad=True),
        torch.tensor([1 + 2j]).conj(),
        torch.tensor([float("nan"), float("inf"), -0.0]),
    ],
)
def test_tensors_of_every_layout(tensor: torch.Tensor) -> None:
    arrived = wire.decode(wire.encode(tensor))
    assert isinstance(arrived, torch.Tensor)
    assert close(arrived, tensor.detach(), equal_nan=True)
    assert arrived.is_contiguous()
    assert not arrived.requires_grad


def test_a_bool_tensor_holds_only_booleans() -> None:
    arrived = wire.decode(frame(b'{"tensor":["bool",[3]]}', b"\x00\x02\xff"))
    assert isinstance(arrived, torch.Tensor)
    assert arrived.view(torch.uint8).tolist() == [0, 1, 1]


def test_lone_surrogates_are_replaced_everywhere() -> None:
    for sent, arrived in (
        (b'"\\ud800"', "?"),
        (b'{"dict":[["\\udfff",1]]}', {"?": 1}),
        (b'["\\ud83d\\ude00 \\ud800"]', ["\U0001f600 ?"]),
    ):
        assert wire.decode(frame(sent)) == arrived


def test_too_large_an_answer_is_not_sent() -> None:
    with pytest.raises(wire.WireError):
        wire.encode("x" * wire.MAX_TEXT_BYTES)
    with pytest.raises(wire.WireError):
        wire.encode(torch.zeros(wire.MAX_BLOB_BYTES + 1, dtype=torch.uint8))
