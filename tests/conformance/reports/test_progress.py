"""The progress of a run: on a terminal, in a log, and the time that is left."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from loopspec import __version__
from loopspec.reports.progress import Progress

from ..staging import case_of, result_of

DEPTH, OTHER = case_of("AMD-DEPTH-01"), case_of("AMD-CFG-01")


class Terminal(io.StringIO):
    """A file that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_progress_is_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is printed before the target is imported, rewritten with each result, and cleared at the end."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("loopspec.reports.progress._LIVE", 0.0)
    terminal = Terminal()
    progress = Progress(2, terminal)

    progress.begin("py:some:target")
    before = terminal.getvalue()
    progress.show(result_of(DEPTH, "failed"))
    progress.show(result_of(replace(OTHER, id="AMD-CFG-01 :: A"), "passed"))
    progress.end()

    head, *states = terminal.getvalue().split("\r")
    assert before.startswith(f"loopspec {__version__}: 2 cases on py:some:target\n")
    assert head == f"loopspec {__version__}: 2 cases on py:some:target\n"
    shown = [state.rstrip() for state in states if state]
    assert shown == [
        "starting it …",
        "1/2  1 failed  0 s left  AMD-DEPTH-01 :: A chain that reac…",
        "2/2  1 failed  AMD-CFG-01 :: A",
        "",
    ]
    assert {len(state) for state in states if state} == {59}


def test_progress_in_a_log_is_a_line_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has a head, a line every ten seconds, and no progress line in a short run."""
    now = [0.0]
    monkeypatch.setattr("loopspec.reports.progress.time.monotonic", lambda: now[0])
    log = io.StringIO()
    progress = Progress(40, log)
    progress.begin("reference", "the last failures")

    for n in range(40):
        now[0] = n * 0.5
        progress.show(result_of(DEPTH, "passed"))
    progress.end()

    assert log.getvalue().splitlines() == [
        f"loopspec {__version__}: 40 cases on reference; the last failures",
        "  21/40  0 failed  9 s left",
        "  40/40  0 failed",
    ]


def test_the_time_left_is_that_of_the_applicable_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that do not apply take no time: 20 of 40 cases, 19 of them applicable, leave one more, and not 20."""
    now = [0.0]
    monkeypatch.setattr("loopspec.reports.progress.time.monotonic", lambda: now[0])
    log, names = io.StringIO(), [f"CASE-{n}" for n in range(40)]
    progress = Progress(40, log)
    progress.begin("reference")
    progress.expect(lambda: names[1:21])

    for n, name in enumerate(names[:20]):
        now[0] = n * 1.0
        progress.show(result_of(replace(OTHER, id=name), "passed"))

    assert log.getvalue().splitlines()[1:] == ["  11/40  0 failed  10 s left"]


def test_progress_can_be_silent_and_its_reader_may_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written with `silent` or after a broken pipe."""
    silent, gone = Terminal(), []
    Progress(1, silent, silent=True).begin("reference")
    monkeypatch.setattr("loopspec.reports.progress.print_no_more", lambda: gone.append(True))

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    progress = Progress(1, Closed())
    progress.begin("reference")
    progress.show(result_of(OTHER, "passed"))

    assert (silent.getvalue(), gone) == ("", [True])
