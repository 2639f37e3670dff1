"""A child process and its lines. No call waits longer than its caller allows."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

_CHUNK = 1 << 16  # bytes
_KEPT = 1 << 16  # bytes at the end of standard error that are kept
_GRACE = 0.5  # seconds to end after SIGTERM
_GLANCE = 0.05  # seconds between checks whether the process runs, on a system without pidfd
_LONGEST = 3600.0  # seconds of one wait; no system accepts an arbitrary number
_DRAINED = 32  # chunks that are read after the end; more than any pipe holds


class Ended(Exception):
    """Raised when the process has ended, or one of its pipes is closed."""


class TooLong(Exception):
    """Raised for a line that is longer than the limit. `start` is its beginning."""

    def __init__(self, start: bytes) -> None:
        super().__init__(start)
        self.start = start


class Child:
    """A process in a separate group, whose output is read line by line. It ends with this process, if not by SIGKILL.

    Raises `OSError` if the process cannot be started.
    """

    def __init__(self, command: Sequence[str], longest_line: int) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe)
        self._longest_line = longest_line
        self._to_write = bytearray()
        self._read = bytearray()
        self._lines: deque[bytes] = deque()
        self._stderr = bytearray()
        self._poll = select.poll()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._pidfd = _watched(self._process.pid)
        if self._pidfd is not None:
            self._poll.register(self._pidfd, select.POLLIN)
        self._wants_write = False
        self._takes_input = True
        self._gone = False
        self._reap = weakref.finalize(self, _kill, self._process, self._pidfd)

    # -- what goes out -------------------------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Queue a line for the next `flush` or `receive`."""
        self._to_write += line
        self._to_write += b"\n"

    def flush(self) -> None:
        """Write as much as possible without waiting. The output of a child that reads no more is read to the end."""
        try:
            while self._to_write:
                written = os.write(self._in, self._to_write)
                del self._to_write[:written]
        except BlockingIOError:
            pass
        except OSError:
            self._takes_input = False
            self._to_write.clear()
        if bool(self._to_write) != self._wants_write:
            self._wants_write = bool(self._to_write)
            if self._wants_write:
                self._poll.register(self._in, select.POLLOUT)
            else:
                self._poll.unregister(self._in)

    # -- what comes in -------------------------------------------------------------------------------------------------

    @property
    def has_line(self) -> bool:
        """Whether a line has arrived."""
        return bool(self._lines)

    def receive(self, timeout: float) -> bytes | None:
        """Return the next line, or None after the timeout. Raises `Ended` and `TooLong`."""
        if self._to_write:
            self.flush()
        if self._lines:
            return self._lines.popleft()
        until = time.monotonic() + timeout
        while not self._gone:
            left = max(0.0, until - time.monotonic()) if self._takes_input else 0.0
            ready = self._poll.poll(1000 * min(left, _GLANCE if self._pidfd is None else _LONGEST))
            self._look(ready)
            if self._lines:
                return self._lines.popleft()
            if time.monotonic() >= until and not self._gone:
                return None
        raise Ended

    def _look(self, ready: Sequence[tuple[int, int]]) -> None:
        """Read the arrived data. Reading ends with the child, since a grandchild may hold the pipe forever."""
        gone = not self._takes_input or (self._pidfd is None and self._process.poll() is not None)
        for fd, _ in ready:
            if fd == self._out:
                gone |= self._take_output() is None
            elif fd == self._err:
                self._take_stderr()
            elif fd == self._in:
                self.flush()
            else:
                gone = True
        if gone:
            self._gone = True
            for _ in range(_DRAINED):
                if not self._take_output():
                    break

    def _take_output(self) -> bool | None:
        """Read the arrived data, and return whether there was any; None at the end."""
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            return None
        *ends, rest = chunk.split(b"\n")
        if ends:
            ends[0] = bytes(self._read) + ends[0]
            self._read.clear()
            self._lines.extend(ends)
        self._read += rest
        for line in (*ends, self._read):
            if len(line) > self._longest_line:
                raise TooLong(bytes(line[:_CHUNK]))
        return True

    def _take_stderr(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._err, _CHUNK)
            if not chunk:
                self._poll.unregister(self._err)
            self._stderr += chunk
            del self._stderr[:-_KEPT]

    def forget_stderr(self) -> None:
        """Discard standard error so far."""
        self._stderr.clear()

    def take_stderr(self) -> str:
        """Return the end of standard error since the last call."""
        for _ in range(_KEPT * 16 // _CHUNK):  # the loop ends even if the child writes continuously
            before = len(self._stderr)
            with suppress(OSError, ValueError, KeyError):
                self._take_stderr()
            if len(self._stderr) == before:
                break
        text = self._stderr.decode("utf-8", "replace")
        self._stderr.clear()
        return text

    # -- the end -------------------------------------------------------------------------------------------------------

    def ended(self, wait: float = 0.0) -> str:
        """Return how the process ended, in words; empty while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(wait)
        return how_ended(self._process.returncode)

    @property
    def closed(self) -> str:
        """The closed pipe of a running process, in words."""
        return "closed its standard output" if self._takes_input else "closed its standard input"

    def leave(self, seconds: float) -> None:
        """Close the child's input and wait for its exit; then end it."""
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
        self.stop(seconds)

    def stop(self, seconds: float = 0.0, ask: bool = True) -> None:
        """End the process and its group: wait, send SIGTERM, wait, send SIGKILL. May be called again."""
        if seconds:
            self._wait(seconds)
        if ask and self._process.returncode is None:
            _signal(self._process, signal.SIGTERM)
            self._wait(_GRACE)
        self._reap()

    def _wait(self, seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)


def _kill(process: subprocess.Popen[bytes], pidfd: int | None) -> None:
    """End a process and its group immediately, without a zombie and without an open pipe."""
    _signal(process, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with suppress(OSError):
                pipe.close()
    if pidfd is not None:
        os.close(pidfd)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def how_ended(code: int | None) -> str:
    """How a process with this exit code ended, in words; empty while it runs."""
    if code is None or code >= 0:
        return "" if code is None else f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:  # of the real-time signals, only the first and the last have names
        return f"was ended by signal {-code}"


def _watched(pid: int) -> int | None:
    """A descriptor that is readable once the process has ended, on a system with pidfd."""
    with suppress(AttributeError, OSError):
        return os.pidfd_open(pid)
    return None
