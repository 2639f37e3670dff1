"""`loopspec protocol`: print the protocol for adapters in any language."""

from __future__ import annotations

import argparse
import sys

from ...protocol.schema import page, schema_text


def protocol(args: argparse.Namespace) -> int:
    """Print the schema of every message, or the page about the protocol."""
    sys.stdout.write(page() if args.page else schema_text() + "\n")
    return 0
