"""The mentions in a text, with their places."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from loopspec_reference.agentsmd.mentions import PATTERN, is_import

from .dialect import Dialect
from .markup import html_blocks, runs
from .regions import FENCE_OR_SPAN, Place, Region, between_backticks, comments, markdown_code

_ESCAPED_PATH = re.compile(r"[a-zA-Z0-9._-]|~/|/.")


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
        skipped = {"code": dialect.import_code in ("skipped", "spans-in-lists")}
        skipped |= {"indented": dialect.import_indented == "skipped", "comment": dialect.import_comment == "skipped"}
        return [
            *_between_marks(
                text,
                _pattern(dialect),
                frozenset(place for place, is_skipped in skipped.items() if is_skipped),
                escaped=dialect.import_paths == "any-with-escaped-spaces",
                spans_in_lists=dialect.import_code == "spans-in-lists",
                html=dialect.import_html == "expanded",
            )
        ]
    found = list(_pattern(dialect).finditer(text))
    if dialect.import_paths == "slash-or-extension":
        found = [each for each in found if is_import(each.group(1))]
    elif dialect.import_paths == "any-with-escaped-spaces":
        found = [each for each in found if _ESCAPED_PATH.match(each.group(1))]
    elif dialect.import_paths == "slash-or-dot":
        found = [each for each in found if {*"/."} & {*each.group(1)}]
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


@lru_cache(maxsize=64)  # several dialects read the same files in turn, and a parse is the slowest step
def _between_marks(
    text: str, pattern: re.Pattern[str], skipped: frozenset[str], *, escaped: bool, spans_in_lists: bool, html: bool
) -> tuple[Mention, ...]:
    """Return the mentions between marks of Markdown, which are not all in the order of the text."""
    mentions: list[Mention] = []
    line, at = 1, 0
    for run in runs(text, spans_in_lists=spans_in_lists, html=html):
        for each in pattern.finditer(run.text):
            if escaped and not _ESCAPED_PATH.match(each.group(1)):
                continue
            start, end = run.offsets[each.start()], run.offsets[each.end() - 1] + 1
            line += text.count("\n", at, start) - text.count("\n", start, at)  # one of them counts nothing
            at = start
            mentions.append(Mention(start, end, each.group(1), line, run.place if run.place in skipped else None))
    return tuple(mentions)


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    pattern = PATTERN
    if dialect.import_paths == "letter-dot-or-slash":
        home = "~" if dialect.import_home == "loaded" else ""
        pattern = rf"@([a-zA-Z./{home}][^ \t\r\n]*)"
    elif dialect.import_paths == "any-with-escaped-spaces":
        pattern = r"@((?:\\ |[^\s\\])+)"
    elif dialect.import_paths == "slash-or-dot":
        pattern = r"@([^\s<>\"'`@]*[^\s<>\"'`@.,;:!?)\]}])"
    before = {
        "after-space": r"(?<![^ \t\r\n])",
        "after-space-or-mark": r"(?<!\S)",
        "outside-words": r"(?<![a-zA-Z0-9._%+-])",
    }
    return re.compile(before.get(dialect.import_place, "") + pattern)


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
