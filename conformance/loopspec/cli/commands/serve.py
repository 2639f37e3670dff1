"""`loopspec serve`: a Python target as an adapter that speaks the protocol."""

from __future__ import annotations

import argparse
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...serving.handover import quick_exit
from ...serving.server import prepare
from ...serving.server import serve as served
from ...serving.warm_parent import Pipes, keep_warm, open_files
from ...targets.python import PythonTarget
from ...targets.resolve import python_factory

_LEAVE = 2.0  # seconds to exit by itself, after the end of the input


def serve(args: argparse.Namespace) -> int:
    """Serve over standard input and output; whatever else is printed goes to standard error."""
    pipes = Pipes(os.dup(0), os.dup(1))
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # for its descriptor
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    before = open_files()
    with _ending_with_the_harness(pipes):
        factory = python_factory(args.target)
    pipes = keep_warm(pipes, before, prepare)
    with _ending_with_the_harness(pipes):
        target = PythonTarget(factory, args.target)
        try:
            served(target, *pipes)
        finally:
            target.close()
    quick_exit.code = 0
    return 0


@contextmanager
def _ending_with_the_harness(pipes: Pipes) -> Iterator[None]:
    """End this process once the harness has gone: a target that hangs would not notice."""
    stop, stopping = os.pipe()
    # Named as a thread that a loop need not wait for when it asks whether anything can still move.
    thread = threading.Thread(target=_watch, args=(pipes.source, stop), name="loopspec-watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(stopping)
        thread.join()
        os.close(stop)


def _watch(source: int, stop: int) -> None:
    """Wait for the end of the input, or to be stopped; after the end of the input, wait a moment and exit."""
    poll = select.poll()
    poll.register(source, 0)  # the end is reported without being asked for
    poll.register(stop, 0)
    ended = {descriptor for descriptor, _ in poll.poll()}
    if stop not in ended:
        poll.unregister(source)
        if not poll.poll(1000 * _LEAVE):
            os._exit(1)
