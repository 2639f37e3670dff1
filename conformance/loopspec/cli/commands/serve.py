"""`loopspec serve`: a Python target as an adapter that speaks the protocol."""

from __future__ import annotations

import argparse
import os
import select
import sys
import threading
import time

from ...serving import serve as served
from ...targets.resolve import python_target

_LEAVE = 2.0  # seconds to leave by itself, after the end of the input


def serve(args: argparse.Namespace) -> int:
    """Serve over standard input and output; whatever else is printed goes to standard error."""
    source, sink = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # for its descriptor
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # Named as what a loop need not wait for when it asks whether anything can still move.
    threading.Thread(target=_leave_with, args=(source,), name="loopspec-watchdog", daemon=True).start()
    target = python_target(args.target)
    try:
        served(target, source, sink)
    finally:
        target.close()
    return 0


def _leave_with(source: int) -> None:
    """End this process once nobody is at the other end of its input: what is served may hang, and notice nothing."""
    ended = select.poll()
    ended.register(source, 0)  # an end is told of without being asked for
    ended.poll()
    time.sleep(_LEAVE)
    os._exit(1)
