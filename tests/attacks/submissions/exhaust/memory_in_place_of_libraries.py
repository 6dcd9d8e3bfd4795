# Puts memory of its own where libraries are mapped, which makes nothing larger, and fills the rest of the limit beside it.
# verdict: failed timeout
# says: The sum is | without an answer

import ctypes
import resource

LIMIT_MIB = 128
PRIVATE_ANONYMOUS_FIXED, READ_WRITE, LOAD, WRITABLE = 0x32, 3, 1, 2
libc = ctypes.CDLL(None)
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mmap.restype = ctypes.c_void_p


class Segment(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("flags", ctypes.c_uint32)] + [
        (name, ctypes.c_uint64) for name in ("offset", "address", "physical", "in_file", "size", "alignment")
    ]


class Library(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("segments", ctypes.POINTER(Segment)),
        ("count", ctypes.c_uint16),
    ]


places = []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p)
def look(library, _size, _data):
    library = library.contents
    if b"torch_cpu" in (library.name or b""):
        for segment in library.segments[: library.count]:
            if segment.kind == LOAD and not segment.flags & WRITABLE:
                places.append((library.address + segment.address, segment.size))
    return 0


libc.dl_iterate_phdr(look, None)


def answer(x):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept = []
    for start, size in places:
        low, high = (start + 4095) & ~4095, (start + size) & ~4095
        if libc.mmap(low, high - low, READ_WRITE, PRIVATE_ANONYMOUS_FIXED, -1, 0) == low:
            ctypes.memset(low, 1, high - low)
    try:
        while True:
            kept.append(bytearray(b"x") * 2**20)
    except MemoryError:
        pass
    # The kernel lets one map stand in the place of another, however large, as long as the limit is not reached.
    allowed_mib = max(LIMIT_MIB, *(size >> 20 for _, size in places)) + 16
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    if grown_mib > allowed_mib:
        print("BREACH", grown_mib)
    return 0.0
