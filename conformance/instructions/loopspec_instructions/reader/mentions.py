"""The mentions in a text, with their places."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from loopspec_reference.agentsmd.mentions import PATTERN, is_import

from .dialect import Dialect
from .regions import Place, Region, between_backticks, comments, markdown_code


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
    found = list(_pattern(dialect).finditer(text))
    if dialect.import_paths == "slash-or-extension":
        found = [each for each in found if is_import(each.group(1))]
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


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    pattern = PATTERN
    if dialect.import_paths == "letter-dot-or-slash":
        home = "~" if dialect.import_home == "loaded" else ""
        pattern = rf"@([a-zA-Z./{home}][^ \t\r\n]*)"
    elif dialect.import_paths == "any-with-escaped-spaces":
        pattern = r"@(?![\"'])((?:\\ |[^ \t\r\n])+)"
    return re.compile(r"(?<![^ \t\r\n])" + pattern if dialect.import_place == "after-space" else pattern)


def _excluded(text: str, dialect: Dialect) -> list[Region]:
    """Return the regions in which a mention is no import, without overlaps."""
    regions: list[Region] = []
    if dialect.import_code == "between-backticks":
        regions += between_backticks(text)
    places = {"code"} if dialect.import_code in ("skipped", "skipped-outside-lists") else set()
    if dialect.import_indented == "skipped":
        places.add("indented")
    if places:
        code = markdown_code(text, in_containers=dialect.import_code != "skipped-outside-lists")
        regions += [region for region in code if region.place in places]
    if dialect.import_comment == "skipped":
        regions += comments(text)
    kept: list[Region] = []
    for region in sorted(regions, key=lambda region: region.start):
        if not kept or kept[-1].end <= region.start:
            kept.append(region)
        elif kept[-1].end < region.end:
            kept.append(Region(kept[-1].end, region.end, region.place))
    return kept
