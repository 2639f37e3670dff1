"""The mentions in a text, with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from loopspec_reference.agentsmd.mentions import PATTERN, is_import

from .dialect import Dialect
from .markup import html_blocks, runs
from .regions import FENCE_OR_SPAN, Place, Region, between_backticks, comments, markdown_code

_IS_PATH: Mapping[str, Callable[[str], object]] = {
    "slash-or-extension": is_import,
    "any-with-escaped-spaces": re.compile(r"[a-zA-Z0-9._-]|~/|/.").match,
    "slash-or-dot": re.compile(r"[/.]").search,
}


class Mention(Struct, frozen=True, gc=False):
    """A mention of a path: where it is, the path as written, the line, and the code or comment around it."""

    start: int
    end: int
    path: str
    line: int
    place: Place | None


def find_mentions(text: str, dialect: Dialect) -> list[Mention]:
    """Return the mentions that are imports, and those that only their place keeps from being imports."""
    if dialect.imports == "none" or "@" not in text:
        return []
    if dialect.import_place == "after-space-or-mark":
        return [*_between_marks(text, dialect)]
    found = _paths_in(text, dialect)
    if not found:
        return []
    regions = _excluded(text, dialect)
    mentions: list[Mention] = []
    line, counted, number = 1, 0, 0
    for each in found:
        start = each.start()
        line += text.count("\n", counted, start)
        counted = start
        while number < len(regions) and regions[number].end <= start:
            number += 1
        inside = number < len(regions) and regions[number].start <= start
        mentions.append(Mention(start, each.end(), each.group(1), line, regions[number].place if inside else None))
    return mentions


def _between_marks(text: str, dialect: Dialect) -> Iterator[Mention]:
    """Yield the mentions between marks of Markdown, which are not all in the order of the text."""
    skipped: dict[Place | None, bool] = {
        "code": dialect.import_code in ("skipped", "spans-in-lists"),
        "indented": dialect.import_indented == "skipped",
        "comment": dialect.import_comment == "skipped",
    }
    line, at, in_lists = 1, 0, dialect.import_code == "spans-in-lists"
    for run in runs(text, spans_in_lists=in_lists, html=dialect.import_html == "expanded"):
        for each in _paths_in(run.text, dialect):
            start, end = run.offsets[each.start()], run.offsets[each.end() - 1] + 1
            line += text.count("\n", at, start) - text.count("\n", start, at)  # one of them counts nothing
            at = start
            yield Mention(start, end, each.group(1), line, run.place if skipped.get(run.place) else None)


def _paths_in(text: str, dialect: Dialect) -> list[re.Match[str]]:
    """Return the mentions of paths, wherever they are."""
    is_path = _IS_PATH.get(dialect.import_paths, bool)
    return [each for each in _pattern(dialect).finditer(text) if is_path(each.group(1))]


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    home = "~" if dialect.import_home == "loaded" else ""
    paths = {
        "letter-dot-or-slash": rf"@([a-zA-Z./{home}][^ \t\r\n]*)",
        "any-with-escaped-spaces": r"@((?:\\ |[^\s\\])+)",
        "slash-or-dot": r"@([^\s<>\"'`@]*[^\s<>\"'`@.,;:!?)\]}])",
    }
    before = {
        "after-space": r"(?<![^ \t\r\n])",
        "after-space-or-mark": r"(?<!\S)",
        "outside-words": r"(?<![a-zA-Z0-9._%+-])",
    }
    return re.compile(before.get(dialect.import_place, "") + paths.get(dialect.import_paths, PATTERN))


def _excluded(text: str, dialect: Dialect) -> list[Region]:
    """Return the regions in which a mention is no import, without overlaps."""
    regions: list[Region] = []
    if dialect.import_code == "between-backticks":
        regions += between_backticks(text)
    elif dialect.import_code == "line-by-line":
        regions += [Region(found.start(), found.end(), "code") for found in FENCE_OR_SPAN.finditer(text)]
    # Without marks, a span of a list is code: `_between_marks` knows the spans of lists.
    places = {"code"} if dialect.import_code in ("skipped", "skipped-outside-lists", "spans-in-lists") else set()
    if dialect.import_indented == "skipped":
        places.add("indented")
    if places:
        code = markdown_code(text, in_containers=dialect.import_code != "skipped-outside-lists")
        regions += [region for region in code if region.place in places]
    if dialect.import_comment == "skipped":
        regions += comments(text)
    if dialect.import_html == "skipped":
        regions += html_blocks(text)
    kept: list[Region] = []
    for region in sorted(regions, key=lambda region: region.start):
        if not kept or kept[-1].end <= region.start:
            kept.append(region)
        elif kept[-1].end < region.end:
            kept.append(Region(kept[-1].end, region.end, region.place))
    return kept
