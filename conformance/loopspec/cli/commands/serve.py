"""`loopspec serve`: serve a Python target as an adapter over the protocol."""

from __future__ import annotations

import argparse
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...contract.harness import WATCHDOG
from ...serving.restarting import in_new_processes, open_files
from ...serving.server import prepare
from ...serving.server import serve as served
from ...targets.python import PythonTarget
from ...targets.resolve import python_factory, split_dialect

_LEAVE = 2.0  # seconds to exit after the end of the input


def serve(args: argparse.Namespace) -> int:
    """Serve over standard input and output; all other output goes to standard error."""
    source, sink = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # for its descriptor
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    before = open_files()
    name, dialect = split_dialect(args.target)
    with _ending_with_the_harness(source):
        factory = python_factory(name)
    prepare(factory)

    def serve_here(restart: Callable[[], None] | None) -> int:
        with _ending_with_the_harness(source):
            target = PythonTarget(factory, name, dialect)
            try:
                restarts = served(target, source, sink, restart is not None)
            finally:
                target.close()
        if restart is not None and restarts:
            restart()
        sys.stderr.flush()
        os._exit(0)  # freeing all objects takes longer than a start

    return in_new_processes(serve_here, before)


@contextmanager
def _ending_with_the_harness(source: int) -> Iterator[None]:
    """End this process when the harness has ended: a target that hangs would not notice."""
    stop, stopping = os.pipe()
    thread = threading.Thread(target=_watch, args=(source, stop), name=WATCHDOG, daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(stopping)
        thread.join()
        os.close(stop)


def _watch(source: int, stop: int) -> None:
    """Wait for the end of the input, or for `stop`; after the end of the input, exit after a grace period."""
    poll = select.poll()
    poll.register(source, 0)  # the end is always reported
    poll.register(stop, 0)
    ended = {descriptor for descriptor, _ in poll.poll()}
    if stop not in ended:
        poll.unregister(source)
        if not poll.poll(1000 * _LEAVE):
            os._exit(1)
