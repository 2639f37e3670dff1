"""The progress of a run: the target, the finished cases, and the remaining ones."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable
from typing import IO

from .. import __version__
from ..engine.output import counted, print_no_more
from ..engine.result import FAILURES, Result

_LIVE = 0.05  # seconds between two updates on a terminal
_LOGGED = 10.0  # seconds between two lines in a log


class Progress:
    """One rewritten line on a terminal; in a log, a line at intervals.

    `file` may be replaced during the run by a descriptor of the terminal, while the implementation prints into ours.
    """

    def __init__(self, planned: int, file: IO[str], *, silent: bool = False) -> None:
        self.file = file
        self._planned = planned
        self._silent = silent
        self._live = file.isatty()
        self._judged = self._failed = 0
        self._seen: set[str] = set()
        self._applicable: Callable[[], Iterable[str]] | None = None
        self._all: frozenset[str] = frozenset()
        self._began = self._shown = time.monotonic()

    def expect(self, applicable: Callable[[], Iterable[str]]) -> None:
        """Estimate the time from the applicable cases: the others take none. `applicable` is called when needed."""
        self._applicable = applicable

    def begin(self, target: str, note: str = "") -> None:
        """Print the head before the target is imported, which may take time."""
        self._print(
            f"loopspec {__version__}: {counted(self._planned, 'case')} on {target}{f'; {note}' if note else ''}"
        )
        if self._live:
            self._rewrite("starting it …")
        self._began = time.monotonic()

    def show(self, result: Result) -> None:
        """Count a result. That of an invariant that does not hold in a case was not planned."""
        self._failed += result.verdict in FAILURES
        if self._judged == self._planned:
            return
        self._judged += 1
        self._seen.add(result.case)
        now = time.monotonic()
        if now - self._shown < (_LIVE if self._live else _LOGGED) and self._judged < self._planned:
            return
        self._shown = now
        state = f"{self._judged}/{self._planned}  {self._failed} failed"
        if self._judged < self._planned:
            state += self._left(now - self._began)
        if self._live:
            self._rewrite(f"{state}  {result.case}")
        elif now - self._began >= _LOGGED:
            self._print(f"  {state}")

    def _left(self, seconds: float) -> str:
        """The time that the applicable cases which are left take, if they take as long as those so far."""
        if self._applicable is not None:
            self._all, self._applicable = frozenset(self._applicable()), None
        left = len(self._all - self._seen) if self._all else self._planned - self._judged
        done = len(self._all & self._seen) if self._all else self._judged
        if not done:
            return ""
        rest = seconds / done * left
        return f"  {rest:.0f} s left" if rest < 100 else f"  {rest / 60:.0f} min left"

    def end(self) -> None:
        """Clear the line."""
        if self._live:
            self._rewrite("")

    def _rewrite(self, text: str) -> None:
        from rich.cells import cell_len, set_cell_size  # only for a terminal: a wide character takes two columns

        width = shutil.get_terminal_size().columns
        line = text if cell_len(text) < width else set_cell_size(text, width - 2) + "…"
        self._write(f"\r{set_cell_size(line, width - 1)}\r")

    def _print(self, line: str) -> None:
        self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        if self._silent:
            return
        try:
            self.file.write(text)
            self.file.flush()
        except BrokenPipeError:  # the reader has left; the exit code is still that of the run
            self._silent = True
            print_no_more()
        except OSError:
            if not self._judged:
                raise  # nothing is judged yet: the command reports the error
            self._silent = True
