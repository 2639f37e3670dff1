"""The command line.

Exit codes: 0 conformant, 1 failures, 2 usage, 3 stale baseline, 4 target unusable, 5 nothing judged, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # errors of a full or broken disk


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; every error a user can cause is one sentence."""
    if argv is None and sys.argv[1:2] == ["serve"]:  # before the imports, which take most of the start
        from ..serving.handover import delegate

        delegate()
    from ..contract.faults import KitError, SuiteError, TargetUnusable
    from ..engine.output import print_no_more
    from .core import parser

    _print_anything()
    words = sys.argv[1:] if argv is None else argv
    try:
        args = parser(words).parse_args(words)
        code: int = args.command(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _say("interrupted", 130)
    except TargetUnusable as error:
        return _say(str(error), 4)
    except SuiteError as error:
        return _say(f"the suite itself is broken: {error}", 5)
    except KitError as error:
        return _say(str(error), 2)
    except BrokenPipeError:  # the reader has left, as `head` does
        print_no_more()
        return 0
    except OSError as error:
        if error.errno not in _FULL:
            raise
        print_no_more()
        return _say(f"the output cannot be written: {error.strerror}", 2)
    return code


def _print_anything() -> None:
    """Keep unencodable characters and a missing output from ending a command."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(sentence: str, code: int) -> int:
    print(f"loopspec: {sentence}", file=sys.stderr)
    return code
