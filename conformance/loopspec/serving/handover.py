"""The start of `loopspec serve`, delegated to a warm parent: see `warm_parent`.

A resumed run needs a new process, and most of its start would be imports that an earlier process has made already. This
module runs before them, and imports none of the kit.
"""

from __future__ import annotations

import array
import atexit
import os
import signal
import socket
import struct
import sys
import zlib
from contextlib import suppress

TYPE_CHECKING = False  # but for type checkers; `typing` loads slowly
if TYPE_CHECKING:
    from typing import NoReturn

_PATIENCE = 5.0  # seconds to wait for a warm parent, which answers at once unless it is stopped
_LENGTH = struct.Struct("!I")
_STATUS = struct.Struct("!i")  # as `os.waitpid` has it
_PEER = struct.Struct("3i")  # process, user, group

READY, GO = b"r", b"g"

# The signals that a start passes on to its server.
FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class _Exit:
    """Ends a process with `code`, if there is one, without freeing all its objects: that takes longer than a start."""

    code: int | None = None

    def __call__(self) -> None:
        if self.code is not None:
            sys.stderr.flush()
            os._exit(self.code)


quick_exit = _Exit()


def this_start() -> bytes:
    """Everything that two starts must have in common: the program, its arguments, the folder and the environment."""
    environment = (f"{name}={value}" for name, value in sorted(os.environ.items()))
    folder = os.getcwd()  # noqa: PTH109  # pathlib loads slowly
    return "\0".join((sys.executable, *sys.orig_argv, folder, *environment)).encode(errors="surrogateescape")


def address(start: bytes) -> str:
    """The name of the socket that a warm parent listens on: for this user, this harness and this start.

    The name is in Linux's abstract namespace: it is no file, and is gone with its process.
    """
    harness = os.getppid()
    with open(f"/proc/{harness}/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123  # pathlib loads slowly
        since = stat.read().rpartition(")")[2].split()[19]  # differs between two processes with the same number
    return f"\0loopspec-serve-{os.getuid()}-{harness}-{since}-{zlib.crc32(start):08x}"


def is_ours(peer: socket.socket) -> bool:
    """Whether the process at the other end belongs to this user."""
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    user: int = _PEER.unpack(credentials)[1]
    return user == os.getuid()


def delegate() -> None:
    """Let a warm parent serve in place of this process, which then ends as the server does.

    Return where there is no warm parent, and where anything about it fails: this process then starts by itself.
    """
    atexit.register(quick_exit)  # before any other: the first to be registered is called last
    parent = None
    with suppress(OSError, AttributeError, ValueError, IndexError):
        parent = _accepted()
    if parent is not None:
        _end_with(parent)


def _accepted() -> socket.socket | None:
    """A warm parent that has taken the pipes of this process. The server touches them after the last message only."""
    start = this_start()
    parent = socket.socket(socket.AF_UNIX)
    parent.settimeout(_PATIENCE)
    parent.connect(address(start))
    if not is_ours(parent):
        return None
    message = _LENGTH.pack(len(start)) + start
    pipes = array.array("i", [0, 1, 2])
    sent = parent.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, pipes)])
    parent.sendall(message[sent:])
    if parent.recv(1) != READY:
        return None
    parent.sendall(GO)
    return parent


def _end_with(parent: socket.socket) -> NoReturn:
    """Pass signals on to the server, wait for its end, and end as it did."""
    status = signal.SIGKILL.value  # of a warm parent that was killed: its servers die with it
    with suppress(OSError):
        parent.settimeout(None)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)  # the pipes are the server's alone
        for number in FORWARDED:
            signal.signal(number, lambda number, _: parent.sendall(bytes([number])))
        status = _STATUS.unpack(_received(parent, _STATUS.size))[0]
    if os.WIFSIGNALED(status):
        ended_by = os.WTERMSIG(status)
        if ended_by != signal.SIGKILL:
            signal.signal(ended_by, signal.SIG_DFL)
        os.kill(os.getpid(), ended_by)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def take_start(peer: socket.socket) -> tuple[bytes, list[int]]:
    """Receive a start and its pipes. Raises `OSError`."""
    head, pipes, _, _ = socket.recv_fds(peer, _LENGTH.size, 3, socket.MSG_CMSG_CLOEXEC)
    head += _received(peer, _LENGTH.size - len(head))
    return _received(peer, _LENGTH.unpack(head)[0]), pipes


def send_status(peer: socket.socket, status: int) -> None:
    """Report how a server has ended."""
    with suppress(OSError):
        peer.sendall(_STATUS.pack(status))


def _received(peer: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        chunk = peer.recv(size - len(received))
        if not chunk:
            raise ConnectionError("the other end is gone")
        received += chunk
    return received
