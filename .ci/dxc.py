"""Compiles HLSL with Microsoft's DXC, out of the library alone.  dxc.py LIBRARY FILE.hlsl ...

FILE is named after its entry point. Each is compiled for cs_6_0 with validation; warnings count for nothing. Prints what DXC says of
the files that it refuses and ends with 1 if there is one, else with the number of files.
"""

import ctypes
import os
import sys
import uuid

# COM: an object is a pointer to a table of functions. IUnknown has the first five: beside the three of Windows the two entries of a
# destructor, which DXC gives it elsewhere.
RELEASE = 2
COMPILE = 5  # IDxcCompiler3
STATUS, ERRORS = 5, 7  # IDxcResult
POINTER, SIZE = 5, 6  # IDxcBlob
UTF8 = 65001


def guid(text):
    return uuid.UUID(text).bytes_le


COMPILER = guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0")
COMPILER3 = guid("228b4687-5a6a-4730-900c-9702b2203f54")
RESULT = guid("58346cda-dde7-4497-9461-6f87af5e0659")


class Buffer(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t), ("encoding", ctypes.c_uint32)]


def method(this, place, result, *arguments):
    table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    types = [type(a) if not isinstance(a, bytes) else ctypes.c_char_p for a in arguments]
    return ctypes.CFUNCTYPE(result, ctypes.c_void_p, *types)(table[place])(this, *arguments)


def need(status, what):
    if status < 0:
        sys.exit(f"DXC: {what}: error {status & 0xFFFFFFFF:#x}")


def compiled(compiler, path):
    """What DXC says of a file that it refuses; None if it takes it."""
    with open(path, "rb") as file:
        text = file.read()
    entry = os.path.basename(path).removesuffix(".hlsl").split("@")[0]
    words = ["-T", "cs_6_0", "-E", entry, "-Wno-everything"]
    words = (ctypes.c_wchar_p * len(words))(*words)
    buffer, result = Buffer(text, len(text), UTF8), ctypes.c_void_p()
    count = ctypes.c_uint32(len(words))
    status = method(
        compiler, COMPILE, ctypes.c_int32, ctypes.pointer(buffer), words, count, ctypes.c_void_p(), RESULT,
        ctypes.pointer(result),
    )
    need(status, path)
    outcome, errors = ctypes.c_int32(), ctypes.c_void_p()
    need(method(result, STATUS, ctypes.c_int32, ctypes.pointer(outcome)), "status")
    need(method(result, ERRORS, ctypes.c_int32, ctypes.pointer(errors)), "errors")
    said = ""
    if errors:
        at, size = method(errors, POINTER, ctypes.c_void_p), method(errors, SIZE, ctypes.c_size_t)
        said = ctypes.string_at(at, size).decode("utf-8", "replace") if size else ""
        method(errors, RELEASE, ctypes.c_uint32)
    method(result, RELEASE, ctypes.c_uint32)
    return None if outcome.value >= 0 else said or f"error {outcome.value & 0xFFFFFFFF:#x}"


def main():
    library, files = ctypes.CDLL(sys.argv[1]), sys.argv[2:]
    compiler = ctypes.c_void_p()
    need(library.DxcCreateInstance(COMPILER, COMPILER3, ctypes.byref(compiler)), "no compiler")
    refused = [(path, said) for path in files if (said := compiled(compiler, path)) is not None]
    for path, said in refused:
        print(f"{path}: {said}")
    print(f"DXC took {len(files) - len(refused)} of {len(files)} files")
    sys.exit(1 if refused else 0)


main()
