"""A child process and its lines, where a whole adapter does not get to."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest

from loopspec.targets.process import child as module
from loopspec.targets.process.child import Child, Ended, TooLong

from ..protocol.hostile.command import is_alive

LONG = 1e300  # seconds: longer than any system waits in one go


@pytest.fixture(params=["pidfd", "glances"])
def child(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Child]]:
    """The class, on a system that tells by itself when a process ends, and on one that does not."""
    if request.param == "glances":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    yield Child
    gc.collect()


def started(child: type[Child], code: str, longest_line: int = 1000) -> Child:
    """A child that runs this."""
    return child([sys.executable, "-S", "-c", f"import os, signal, sys, time\n{code}"], longest_line)


def lines(process: Child) -> list[bytes]:
    """All lines to the end."""
    found = []
    try:
        while True:
            found.append(process.receive(LONG) or b"")
    except Ended:
        return found


def test_all_that_one_said_before_it_ended_is_there(child: type[Child]) -> None:
    """But not the half of a line; and how it ended."""
    process = started(child, "os.write(1, b'one\\n\\ntwo\\nthr'); sys.exit(4)")

    assert lines(process) == [b"one", b"", b"two"]
    assert process.ended(1000) == "ended with exit code 4"
    process.stop()


def test_more_than_a_pipe_holds_comes_in_order(child: type[Child]) -> None:
    """However it is cut."""
    process = started(child, "for n in range(50000): print(n)")

    assert lines(process) == [b"%d" % n for n in range(50000)]
    process.stop()


def test_one_that_is_silent_is_waited_for_as_long_as_is_said(child: type[Child]) -> None:
    """And not at all, if that is said."""
    process = started(child, "time.sleep(1000)")

    assert process.receive(0.0) is None
    assert process.receive(0.1) is None
    assert process.ended() == ""
    process.stop()


def test_what_is_written_goes_out_as_far_as_it_is_read(child: type[Child]) -> None:
    """More than a pipe holds waits here, and not there."""
    process = started(child, "time.sleep(0.2); print(len(sys.stdin.readline())); sys.stdin.readline(); print('end')")

    process.send(b"x" * 1_000_000)
    assert process.receive(LONG) == b"1000001"
    assert not process.has_line
    process.send(b"more")
    assert lines(process) == [b"end"]
    process.stop()


def test_one_that_closes_its_input_has_had_its_say(child: type[Child]) -> None:
    """What it has written counts, what it would write does not."""
    process = started(child, "os.close(0); print('closed', flush=True); time.sleep(1000)")
    assert process.receive(LONG) == b"closed"

    process.send(b"anybody?")

    assert lines(process) == []
    assert (process.closed, process.ended()) == ("closed its standard input", "")
    process.stop()


@pytest.mark.parametrize("code", ["print('x' * 2000)", "print('x' * 2000, end=''); sys.stdout.flush(); time.sleep(99)"])
def test_a_line_that_is_too_long_is_refused(code: str, child: type[Child]) -> None:
    """Whether it ends or not."""
    process = started(child, code)

    with pytest.raises(TooLong) as caught:
        process.receive(LONG)

    assert caught.value.start.startswith(b"xxx")
    process.stop()


@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGKILL, "was ended by SIGKILL"), (40, "was ended by signal 40")]
)
def test_a_signal_is_called_by_its_name_if_it_has_one(number: int, words: str, child: type[Child]) -> None:
    """Those of real time have none."""
    process = started(child, f"os.kill(os.getpid(), {int(number)})")

    assert lines(process) == []
    assert process.ended(1000) == words
    process.stop()


def test_one_that_leaves_at_the_end_of_its_input_is_not_stopped(child: type[Child]) -> None:
    """It has the time that it is given."""
    process = started(child, "sys.stdin.read(); sys.exit(5)")

    process.leave(1000)

    assert process.ended() == "ended with exit code 5"


def test_one_that_does_not_leave_is_asked_and_then_made_to(child: type[Child], monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be stopped again after that."""
    monkeypatch.setattr(module, "_GRACE", 0.2)
    process = started(child, "signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(1000)")
    assert process.receive(LONG) == b"ready"

    process.leave(0.01)
    process.stop()

    assert process.ended() == "was ended by SIGKILL"


def test_one_that_is_forgotten_ends(child: type[Child]) -> None:
    """Whatever went wrong, no process goes on that nobody knows of."""
    process = started(child, "print(os.getpid(), flush=True); time.sleep(1000)")
    pid = int(process.receive(LONG) or 0)

    del process
    gc.collect()

    assert not is_alive(pid)


def test_of_standard_error_the_end_is_kept(child: type[Child]) -> None:
    """Of one that writes much, and after it has closed it."""
    process = started(child, "os.write(2, b'x' * 100000 + b'end'); os.close(2); print('ready', flush=True); input()")
    assert process.receive(LONG) == b"ready"

    said = process.take_stderr()

    assert (said[-5:], len(said)) == ("xxend", 1 << 16)
    assert process.take_stderr() == ""
    process.forget_stderr()
    process.stop()


def test_one_that_floods_standard_error_is_not_listened_to_for_ever(child: type[Child]) -> None:
    """There is an end to taking what it wrote."""
    process = started(child, "while True: os.write(2, b'x' * 65536)")
    began = time.monotonic()
    assert process.receive(0.2) is None

    assert len(process.take_stderr()) == 1 << 16
    assert time.monotonic() - began < 30
    process.stop()
