"""A terminal gets colors and lines that are broken between words. A pipe gets plain lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Sequence

import pytest

from loopspec.cli import main

COLORS = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(columns: int, arguments: Sequence[str], **environment: str) -> str:
    """Run a command on a terminal with a number of columns and return what it prints."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        command = [sys.executable, "-m", "loopspec", *arguments]
        os.execve(sys.executable, command, {**clean, "TERM": "xterm-256color", **environment})
    printed = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the child has closed its end
            break
        if not part:
            break
        printed += part
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return printed.decode().replace("\r\n", "\n")


def words(text: str) -> list[str]:
    """The words of a text without colors."""
    return COLORS.sub("", text).split()


@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize("arguments", [["explain", "AMD-BUDGET-12"], ["list", "AMD-BUDGET"]], ids=" ".join)
def test_a_terminal_gets_colors_and_whole_words(
    columns: int, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """No line is wider than the terminal, and only line breaks are added to the words that a pipe gets."""
    assert main(arguments) == 0
    piped = capsys.readouterr().out

    shown = on_terminal(columns, arguments)

    assert "\x1b" not in piped
    assert max(map(len, piped.splitlines())) > columns
    assert max(map(len, COLORS.sub("", shown).splitlines())) <= columns
    assert words(shown) == words(piped)
    assert "\x1b[1;36mAMD-BUDGET-" in shown


def test_continuation_lines_are_indented() -> None:
    """Continuation lines are indented to the sentence if there is room, otherwise by four columns."""
    wide, narrow = (COLORS.sub("", on_terminal(columns, ["list", "AMD-BUDGET"])) for columns in (100, 60))

    assert {len(line) - len(line.lstrip()) for line in wide.splitlines()} == {0, 30}
    assert {len(line) - len(line.lstrip()) for line in narrow.splitlines()} == {0, 4}


def test_keywords_of_a_feature_are_colored() -> None:
    """Without colors the text is the same."""
    colored = on_terminal(100, ["explain", "AMD-DEPTH-02"])
    plain = on_terminal(100, ["explain", "AMD-DEPTH-02"], NO_COLOR="1")

    assert "\x1b[1;34mGiven \x1b[0m" in colored
    assert "\x1b[1;34mRule:\x1b[0m" in colored
    assert "\x1b[3" not in plain
    assert words(plain) == words(colored)
