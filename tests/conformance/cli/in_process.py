"""Call `loopspec` in this process, which saves the start of an interpreter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopspec.cli import main

from ..process import Ended

Loopspec = Callable[..., Ended]


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Call a command with its arguments; return the exit code and the output."""
    capsys.readouterr()
    try:
        code: int | str | None = main(arguments)
    except SystemExit as error:
        code = error.code
    assert isinstance(code, int)
    return Ended(code, *capsys.readouterr())


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[str]:
    """The lines that a command prints; it writes no error."""
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()
