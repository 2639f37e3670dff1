"""The permissions of files, applied to root too: root otherwise reads a file without read permission."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Of linux/capability.h: a version and a thread, and two halves, each with the effective, the permitted and the
# inheritable capabilities. The first half has those that are used here.
_VERSION = 0x20080522
_Header, _Halves = ctypes.c_uint32 * 2, ctypes.c_uint32 * 6
_IGNORES_PERMISSIONS = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_MAY_SET_BITS = 1 << 8  # CAP_SETPCAP
_GET_BITS, _SET_BITS = 27, 28  # PR_GET_SECUREBITS, PR_SET_SECUREBITS
_NO_ROOT = 1  # SECBIT_NOROOT: a program that is started gets no capabilities for being started by root


@contextmanager
def permissions_applied() -> Iterator[None]:
    """Apply the permissions of files to this thread and to the programs that it starts, also if the user is root.

    Capabilities belong to a thread, so nothing changes for other threads. Without Linux, root still reads every file.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, halves = _Header(_VERSION, 0), _Halves()
    libc.capget(ctypes.byref(header), ctypes.byref(halves))
    before = halves[0]
    if not before & _IGNORES_PERMISSIONS or not before & _MAY_SET_BITS:
        yield
        return
    bits = libc.prctl(_GET_BITS, 0, 0, 0, 0)
    libc.prctl(_SET_BITS, bits | _NO_ROOT, 0, 0, 0)
    halves[0] = before & ~_IGNORES_PERMISSIONS
    libc.capset(ctypes.byref(header), ctypes.byref(halves))
    try:
        yield
    finally:
        halves[0] = before
        libc.capset(ctypes.byref(header), ctypes.byref(halves))
        libc.prctl(_SET_BITS, bits, 0, 0, 0)
