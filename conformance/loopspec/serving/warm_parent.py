"""A warm parent: a process that has imported what `loopspec serve` needs, and forks a server for each later start.

The first server of a harness forks it before it serves anything. A later start of the same command hands its pipes over
to it (see `handover`), and ends as the server that is forked for it. The warm parent takes no more starts once the
harness or the first server has ended, and ends with its last server. It serves nothing itself, so that no state of a
case is in it.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from .handover import FORWARDED, GO, READY, address, is_ours, send_status, take_start, this_start

_SLOW = 1.0  # seconds for a start to send what belongs to it
_SET_DEATH_SIGNAL = 1  # `PR_SET_PDEATHSIG` of prctl(2)

# What `this_process` may fail with where the system lacks something: then every start is a plain one.
_LACKING = (OSError, AttributeError, ValueError, IndexError)


class Pipes(NamedTuple):
    """The descriptors of a server."""

    source: int
    sink: int


class _Watched(NamedTuple):
    """A socket for later starts of this command, and the processes that the warm parent ends with."""

    start: bytes
    listener: socket.socket
    harness: int
    server: int


@dataclass(frozen=True)
class _Server:
    """A server that was forked, and the connection to the process that it serves for."""

    process: int
    ended: int  # a descriptor that is readable once it has ended
    start: socket.socket


def open_files() -> frozenset[str]:
    """The descriptors that are open; none where the system does not list them."""
    try:
        return frozenset(os.listdir("/proc/self/fd"))  # noqa: PTH208  # the names are numbers
    except OSError:
        return frozenset()


def keep_warm(pipes: Pipes, before: frozenset[str], prepare: Callable[[], None]) -> Pipes:
    """Fork a warm parent. Return the pipes to serve: in this process, and in each process that is forked later.

    `before` are the descriptors that were open before the target was imported: a target whose import opens files or
    starts threads cannot be forked. `prepare` is called in the warm parent alone.
    """
    watched = None
    with suppress(*_LACKING):
        watched = _watch() if _is_forkable(before) else None
    if watched is None:
        return pipes
    sys.stdout.flush()
    sys.stderr.flush()
    is_warm_parent = False
    with suppress(OSError):
        is_warm_parent = _fork_twice()
    if not is_warm_parent:
        watched.listener.close()
        os.close(watched.harness)
        os.close(watched.server)
        return pipes
    try:
        return _WarmParent(watched).wait_for_starts(pipes, prepare)
    except BaseException:
        os._exit(1)


def _is_forkable(before: frozenset[str]) -> bool:
    threads = os.listdir("/proc/self/task")  # noqa: PTH208  # the names are numbers
    return bool(before) and open_files() <= before and len(threads) == 1


def _watch() -> _Watched:
    """Raises `OSError` where there is a warm parent already."""
    start = this_start()
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(address(start))
        listener.listen()
        harness = os.pidfd_open(os.getppid())
        return _Watched(start, listener, harness, os.pidfd_open(os.getpid()))
    except BaseException:
        listener.close()
        raise


def _fork_twice() -> bool:
    """Fork a grandchild, which is no child that the server could wait for; return whether this process is it."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return False
    with suppress(OSError):
        if os.fork() == 0:
            return True
    os._exit(0)


class _WarmParent:
    """Takes starts, and watches over the servers that it has forked for them."""

    def __init__(self, watched: _Watched) -> None:
        self._start, self._listener, self._harness, self._server = watched
        self._is_listening = True
        self._servers: list[_Server] = []
        self._poll = select.poll()
        for descriptor in (self._listener.fileno(), self._harness, self._server):
            self._poll.register(descriptor, select.POLLIN)

    def wait_for_starts(self, pipes: Pipes, prepare: Callable[[], None]) -> Pipes:
        """Return the pipes to serve, in each forked server alone. The warm parent itself does not return."""
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        for descriptor in (nothing, *pipes):
            os.close(descriptor)
        die_with_parent = _death_signal()
        prepare()
        gc.freeze()  # what is shared with the servers stays shared
        while self._is_listening or self._servers:
            for descriptor, _ in self._poll.poll():
                if descriptor in (self._harness, self._server):
                    self._stop_listening()
                elif self._is_listening and descriptor == self._listener.fileno():
                    if (taken := self._take(die_with_parent)) is not None:
                        return taken
                else:
                    self._look_after(descriptor)
        os._exit(0)

    def _stop_listening(self) -> None:
        if self._is_listening:
            self._is_listening = False
            for descriptor in (self._listener.fileno(), self._harness, self._server):
                self._poll.unregister(descriptor)
            self._listener.close()

    # -- starts --------------------------------------------------------------------------------------------------------

    def _take(self, die_with_parent: Callable[[], None]) -> Pipes | None:
        """Take a start. Return its pipes in the server that is forked for it, and None in the warm parent."""
        connection, _ = self._listener.accept()
        received: list[int] = []
        try:
            connection.settimeout(_SLOW)
            if is_ours(connection):
                start, received = take_start(connection)
                if start == self._start and len(received) == 3:  # input, output, error
                    connection.sendall(READY)
                    if connection.recv(1) == GO:
                        return self._fork(connection, received, die_with_parent)
        except OSError:
            pass
        finally:
            for descriptor in received:
                os.close(descriptor)
        connection.close()
        return None

    def _fork(self, start: socket.socket, received: list[int], die_with_parent: Callable[[], None]) -> Pipes | None:
        parent = os.getpid()
        process = os.fork()
        if process == 0:
            try:
                os.setsid()
                die_with_parent()
                if os.getppid() != parent:
                    os._exit(1)
                return self._become_server(start, received)
            except BaseException:
                os._exit(1)
        ended = os.pidfd_open(process)
        start.settimeout(None)
        self._servers.append(_Server(process, ended, start))
        for descriptor in (ended, start.fileno()):
            self._poll.register(descriptor, select.POLLIN)
        return None

    def _become_server(self, start: socket.socket, received: list[int]) -> Pipes:
        """Give up everything that belongs to the warm parent, and take the pipes of the start."""
        for one in self._servers:
            one.start.close()
            os.close(one.ended)
        if self._is_listening:
            self._listener.close()
        os.close(self._harness)
        os.close(self._server)
        start.close()
        source, sink, errors = received
        os.dup2(errors, 1)  # what a target prints is no message
        os.dup2(errors, 2)
        return Pipes(os.dup(source), os.dup(sink))

    # -- servers -------------------------------------------------------------------------------------------------------

    def _look_after(self, descriptor: int) -> None:
        for server in self._servers:
            if descriptor == server.ended:
                self._servers.remove(server)
                self._report_end(server)
                return
            if descriptor == server.start.fileno():
                self._pass_on(server)
                return

    def _pass_on(self, server: _Server) -> None:
        """Send the server the signals of the process that it serves for; with that process gone, end it."""
        signals = b""
        with suppress(OSError):
            signals = server.start.recv(16)
        for number in signals:
            if number in FORWARDED:
                _signal(server.process, number)
        if not signals:
            self._poll.unregister(server.start.fileno())
            _signal(server.process, signal.SIGKILL)

    def _report_end(self, server: _Server) -> None:
        _signal(server.process, signal.SIGKILL)  # whatever it has started
        _, status = os.waitpid(server.process, 0)
        self._poll.unregister(server.ended)
        with suppress(KeyError):
            self._poll.unregister(server.start.fileno())
        send_status(server.start, status)
        server.start.close()
        os.close(server.ended)


def _signal(process: int, number: int) -> None:
    """Send a signal to a server and whatever it has started; it may not have its own group yet."""
    try:
        os.killpg(process, number)
    except ProcessLookupError:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _death_signal() -> Callable[[], None]:
    """The function that lets a process die with its parent. Raises where the system has no such thing."""
    import ctypes  # in the warm parent alone: it takes its time to load

    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def die_with_parent() -> None:
        if prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl failed")

    return die_with_parent
