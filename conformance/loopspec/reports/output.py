"""Where output goes when nobody reads it any more."""

from __future__ import annotations

import os
import sys


def print_no_more() -> None:
    """Throw away what is printed from now on, and what is still to be flushed at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
