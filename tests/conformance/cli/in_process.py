"""`loopspec` in this process: as quick as the command itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopspec.cli import main

from ..process import Ended

Loopspec = Callable[..., Ended]


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Call a command with its arguments, one by one; return what a process would have ended with."""
    capsys.readouterr()
    try:
        code: int | str | None = main(arguments)
    except SystemExit as error:
        code = error.code
    assert isinstance(code, int)
    return Ended(code, *capsys.readouterr())
