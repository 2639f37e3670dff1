"""What users report: the threads in threads.toml, and the tables of the guide that are made from them.

`python -m tests.repo.threads` writes the tables into the page.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.specification.museum import RealBug, museum

from ..check.planting import Fault, faults
from .repository import ROOT

PAGE = ROOT / "conformance" / "loopspec" / "guide" / "what-users-report.md"
VERDICTS = ("caught", "partly", "out")
_TABLE = re.compile(r"^\|.*\|\n(?:\|.*\|\n)+", re.MULTILINE)


class Thread(Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """A public thread. `partly` says what is missing in the rules, and `out` why no rule judges the failure.

    `title` says what happened; the title of a thread in the museum stands there.
    """

    link: str
    kind: str
    year: int
    title: str = ""
    partly: str = ""
    out: str = ""

    @property
    def name(self) -> str:
        """The repository and the number: `owner/name#1`."""
        return re.sub(r"https://github\.com/(.*)/(issues|pull)/", r"\1#", self.link)

    @property
    def verdict(self) -> str:
        """Whether a rule catches the failure: one of `VERDICTS`, or all that were found, if there is not just one."""
        found = (self.link in bugs() or self.link in histories(), self.partly, self.out)
        return " and ".join(verdict for verdict, holds in zip(VERDICTS, found, strict=True) if holds)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that catch it."""
        if self.link in bugs():
            return bugs()[self.link].caught_by
        return tuple(dict.fromkeys(finding.split()[0] for finding in histories()[self.link][1].findings))

    @property
    def reenactment(self) -> str:
        """The mutant that re-enacts the failure, or the planted history that has it."""
        if self.link in bugs():
            return f"`{bugs()[self.link].mutant}`"
        folder, fault = histories()[self.link]
        return f"{fault.name} ({folder.name.replace('_', '-')})"


class _Threads(Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    classes: dict[str, str]
    thread: tuple[Thread, ...]


@cache
def _file() -> _Threads:
    return msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Threads)


def threads() -> tuple[Thread, ...]:
    """Every thread, by class."""
    return _file().thread


def classes() -> dict[str, str]:
    """What the threads of each class are about."""
    return _file().classes


@cache
def bugs() -> dict[str, RealBug]:
    """The bugs of the museum by their links."""
    return {bug.link: bug for bug in museum()}


@cache
def histories() -> dict[str, tuple[Path, Fault]]:
    """The planted histories that name a thread, each with its folder, by the link of the thread."""
    return {fault.thread: (folder, fault) for folder, fault in faults().values() if fault.thread}


def tables() -> tuple[list[str], ...]:
    """The tables of the page: the classes, and the threads of each verdict."""
    counts = {kind: Counter(one.verdict for one in threads() if one.kind == kind) for kind in classes()}
    by_class = [_row(classes()[kind], count.total(), *map(count.get, VERDICTS)) for kind, count in counts.items()]
    total = Counter(one.verdict for one in threads())
    caught, partly, out = ([one for one in threads() if one.verdict == verdict] for verdict in VERDICTS)
    return (
        [*_head("class", "threads", *VERDICTS), *by_class, _row("all", total.total(), *map(total.get, VERDICTS))],
        [
            *_head("thread", "what happened", "caught by", "re-enacted by"),
            *(_row(_linked(one), _title(one), ", ".join(one.rules), one.reenactment) for one in caught),
        ],
        [
            *_head("thread", "what happened", "what is missing"),
            *(_row(_linked(one), _title(one), one.partly) for one in partly),
        ],
        [*_head("thread", "what happened", "why"), *(_row(_linked(one), _title(one), one.out) for one in out)],
    )


def tables_on_the_page() -> list[list[str]]:
    """The tables as the page has them, each with its lines."""
    return [table.splitlines() for table in _TABLE.findall(PAGE.read_text(encoding="utf-8"))]


def _title(thread: Thread) -> str:
    return thread.title or bugs()[thread.link].title


def _linked(thread: Thread) -> str:
    return f"[{thread.name}]({thread.link})"


def _head(*titles: str) -> tuple[str, str]:
    return _row(*titles), _row(*("---:" if title in ("threads", *VERDICTS) else "---" for title in titles))


def _row(*cells: str | int | None) -> str:
    return f"| {' | '.join(str(cell or 0) for cell in cells)} |"


if __name__ == "__main__":
    made = ("".join(f"{line}\n" for line in table) for table in tables())
    page = _TABLE.sub(lambda _: next(made), PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
