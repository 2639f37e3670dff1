"""A child process and its lines, in cases that no whole adapter reaches."""

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

from ..process import is_alive

LONG = 1e300  # seconds, more than any system waits in one call


@pytest.fixture(params=["pidfd", "polling"])
def child(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Child]]:
    """The class on a system with `pidfd_open`, and on a system without it."""
    if request.param == "polling":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    gc.freeze()  # so that a collection looks at the objects of the test alone
    yield Child
    gc.collect()
    gc.unfreeze()


def started(child: type[Child], code: str, longest_line: int = 1000) -> Child:
    """A child that runs this code."""
    return child([sys.executable, "-S", "-c", f"import os, signal, sys, time\n{code}"], longest_line)


def lines(process: Child) -> list[bytes]:
    """All lines until the end."""
    found = []
    try:
        while True:
            found.append(process.receive(LONG) or b"")
    except Ended:
        return found


def test_lines_written_before_the_end_are_received(child: type[Child]) -> None:
    """An incomplete line is dropped; the exit code is known."""
    process = started(child, "os.write(1, b'one\\n\\ntwo\\nthr'); sys.exit(4)")

    assert lines(process) == [b"one", b"", b"two"]
    assert process.ended(1000) == "ended with exit code 4"
    process.stop()


def test_more_lines_than_a_pipe_holds_are_in_order(child: type[Child]) -> None:
    """The lines are complete, however the reads cut them."""
    process = started(child, "for n in range(50000): print(n)")

    assert lines(process) == [b"%d" % n for n in range(50000)]
    process.stop()


def test_a_silent_child_is_awaited_until_the_timeout(child: type[Child]) -> None:
    """A timeout of zero does not wait."""
    process = started(child, "time.sleep(1000)")

    assert process.receive(0.0) is None
    assert process.receive(0.1) is None
    assert process.ended() == ""
    process.stop()


def test_writing_does_not_block(child: type[Child]) -> None:
    """Unread data waits in the parent."""
    process = started(child, "time.sleep(0.2); print(len(sys.stdin.readline())); sys.stdin.readline(); print('end')")

    process.send(b"x" * 1_000_000)
    assert process.receive(LONG) == b"1000001"
    assert not process.has_line
    process.send(b"more")
    assert lines(process) == [b"end"]
    process.stop()


def test_a_child_that_closes_its_input_has_ended(child: type[Child]) -> None:
    """Lines written before are received, later ones are not."""
    process = started(child, "os.close(0); print('closed', flush=True); time.sleep(1000)")
    assert process.receive(LONG) == b"closed"

    process.send(b"hello?")

    assert lines(process) == []
    assert (process.closed, process.ended()) == ("closed its standard input", "")
    process.stop()


@pytest.mark.parametrize("code", ["print('x' * 2000)", "print('x' * 2000, end=''); sys.stdout.flush(); time.sleep(99)"])
def test_a_line_that_is_too_long_is_rejected(code: str, child: type[Child]) -> None:
    """The line may be unfinished."""
    process = started(child, code)

    with pytest.raises(TooLong) as caught:
        process.receive(LONG)

    assert caught.value.start.startswith(b"xxx")
    process.stop()


@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGKILL, "was ended by SIGKILL"), (40, "was ended by signal 40")]
)
def test_a_signal_is_named(number: int, words: str, child: type[Child]) -> None:
    """Real-time signals have no names."""
    process = started(child, f"os.kill(os.getpid(), {int(number)})")

    assert lines(process) == []
    assert process.ended(1000) == words
    process.stop()


def test_a_child_that_exits_at_the_end_of_its_input_is_not_stopped(child: type[Child]) -> None:
    """The child has the given time to exit."""
    process = started(child, "sys.stdin.read(); sys.exit(5)")

    process.leave(1000)

    assert process.ended() == "ended with exit code 5"


def test_a_child_that_does_not_exit_is_terminated_and_then_killed(
    child: type[Child], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`stop` may be called again afterward."""
    monkeypatch.setattr(module, "_GRACE", 0.2)
    process = started(child, "signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(1000)")
    assert process.receive(LONG) == b"ready"

    process.leave(0.01)
    process.stop()

    assert process.ended() == "was ended by SIGKILL"


def test_an_unreferenced_child_ends(child: type[Child]) -> None:
    """A child without references is ended."""
    process = started(child, "print(os.getpid(), flush=True); time.sleep(1000)")
    pid = int(process.receive(LONG) or 0)

    del process
    gc.collect()

    assert not is_alive(pid)


def test_the_end_of_standard_error_is_kept(child: type[Child]) -> None:
    """The end of a long output is kept, also after the stream is closed."""
    process = started(child, "os.write(2, b'x' * 100000 + b'end'); os.close(2); print('ready', flush=True); input()")
    assert process.receive(LONG) == b"ready"

    said = process.take_stderr()

    assert (said[-5:], len(said)) == ("xxend", 1 << 16)
    assert process.take_stderr() == ""
    process.forget_stderr()
    process.stop()


def test_reading_a_flooded_standard_error_ends(child: type[Child]) -> None:
    """Taking the output ends after a limit."""
    flood = "os.write(2, b'x' * 65536)"
    process = started(child, f"{flood}; print('ready', flush=True)\nwhile True: {flood}")
    assert process.receive(LONG) == b"ready"
    began = time.monotonic()
    assert process.receive(0.2) is None

    assert len(process.take_stderr()) == 1 << 16
    assert time.monotonic() - began < 30
    process.stop()
