"""Pages of the repository that commands write, and what several of these pages have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from loopspec.engine.baseline_text import Known

ROOT = Path(__file__).parents[1]
ADAPTERS = ROOT / "conformance" / "adapters"


@dataclass(frozen=True)
class Block:
    """A part of a page between two comments. `what` it shows, and the module whose command writes it."""

    page: Path
    what: str
    module: str

    @property
    def begin(self) -> str:
        """The first comment."""
        return f"<!-- {self.what}: python -m {self.module} -->\n"

    def on(self, text: str, content: str) -> str:
        """The text of the page with another content of the block."""
        end = f"<!-- the end of {self.what} -->\n"
        before, begin, rest = text.partition(self.begin)
        assert begin, f"{self.page} has no block of {self.module}"
        return f"{before}{begin}\n{content}\n{end}{rest.partition(end)[2]}"

    def has(self, content: str) -> bool:
        """Whether the page has this content."""
        text = self.page.read_text(encoding="utf-8")
        return self.on(text, content) == text

    def write(self, content: str) -> None:
        """Write the content into the page."""
        self.page.write_text(self.on(self.page.read_text(encoding="utf-8"), content), encoding="utf-8")


def share(passes: Collection[bool]) -> str:
    """How many of these pass; a dash if there are none."""
    return f"{sum(passes)}/{len(passes)}" if passes else "–"


def reasons(entries: Iterable[Known]) -> list[str]:
    """The reasons of a baseline as a list in Markdown, each with the rules that fail and with its link."""
    rules: dict[str, set[str]] = defaultdict(set)
    first: dict[str, Known] = {}
    for entry in entries:
        rules[entry.reason].add(entry.case.partition(" :: ")[0])
        first.setdefault(entry.reason, entry)
    return [f"- {', '.join(sorted(names))}: {_linked(first[reason])}" for reason, names in rules.items()]


def _linked(entry: Known) -> str:
    linked = f"[{entry.reason}]({entry.link})" if entry.link else entry.reason
    return f"{linked} (in some runs)" if entry.flaky else linked
