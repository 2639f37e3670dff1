"""The parts of a text that are code or comments."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

Place = Literal["code", "indented", "comment"]
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")
_CONTAINERS = ("bullet_list_open", "ordered_list_open", "table_open")
_RUN = re.compile(r"`+")
# Fenced code, and the spans of a line: a span without an end has the rest of its line.
FENCE_OR_SPAN = re.compile(
    r"^[ \t]*(```|~~~)(?s:.*?)(?:^[ \t]*\1.*$|\Z)|(?<!`)(`+)(?!`)(?:.*?(?<!`)\2(?!`)|.*)", re.MULTILINE
)


class Region(Struct, frozen=True, gc=False):
    """A part of a text, in characters."""

    start: int
    end: int
    place: Place


def comments(text: str) -> list[Region]:
    """Return the HTML comments."""
    return [Region(found.start(), found.end(), "comment") for found in COMMENT.finditer(text)]


def between_backticks(text: str) -> list[Region]:
    """Return the parts between a run of backticks and the next run that has at least as many.

    A run without such a partner is shortened by one backtick until one is found.
    """
    runs = [found.span() for found in _RUN.finditer(text)]
    longest = [0] * (len(runs) + 1)  # of the runs from one on: no search for more marks than any of them has
    for number in range(len(runs) - 1, -1, -1):
        longest[number] = max(longest[number + 1], runs[number][1] - runs[number][0])
    regions: list[Region] = []
    at = 0
    for number, (first, last) in enumerate(runs):
        at = max(first, at)  # a region can end inside a run
        while at < last:
            longest_partner = max((last - at) // 2, longest[number + 1])
            for length in range(min(last - at, longest_partner), 0, -1):
                end = text.find("`" * length, at + length)
                if end >= 0:
                    regions.append(Region(at, end + length, "code"))
                    at = end + length
                    break
            else:
                break
    return regions


@lru_cache(maxsize=64)  # several dialects read the same files in turn, and a parse is the slowest step
def markdown_code(text: str, *, in_containers: bool = True) -> tuple[Region, ...]:
    """Return code spans, fenced code and indented code, as CommonMark has them, with tables.

    Without `in_containers`, code in lists, in tables and in block quotes with several marked lines is left out.
    """
    if not ("`" in text or "~~~" in text or "    " in text or "\t" in text):
        return ()
    starts = line_starts(text)
    regions: list[Region] = []
    columns: dict[int, int] = {}  # how far the cells of a table have come in their line
    parser = markdown_parser(tables=True)
    next_line = 0  # the first line after the containers in which code is left out
    for token in parser.parse(text):
        if token.map is None or token.map[0] < next_line:
            continue
        first, last = token.map
        if not in_containers and (
            token.type in _CONTAINERS or _is_long_quote(token.type, text, starts[first : last + 1])
        ):
            next_line = last
        elif token.type in ("fence", "code_block"):
            place: Place = "code" if token.type == "fence" else "indented"
            regions.append(Region(starts[first], starts[min(last, len(starts) - 1)], place))
        elif token.type == "inline" and "`" in token.content:
            offsets = offsets_in(token.content, text, starts, first, columns)
            found: dict[str, list[tuple[int, int]]] = {"spans": []}
            parser.inline.parse(token.content, parser, found, [])
            regions += [Region(offsets[start], offsets[end - 1] + 1, "code") for start, end in found["spans"]]
    return tuple(sorted(regions, key=lambda region: region.start))


def line_starts(text: str) -> list[int]:
    """Return where each line of a text starts, and the length of the text."""
    return [found.start() for found in _LINE.finditer(text)] + [len(text)]


def _is_long_quote(kind: str, text: str, starts: list[int]) -> bool:
    """Return whether a block quote has a mark in several lines."""
    if kind != "blockquote_open":
        return False
    return sum(text[start:end].lstrip().startswith(">") for start, end in pairwise(starts)) > 1


def offsets_in(content: str, text: str, starts: list[int], first: int, columns: dict[int, int]) -> list[int]:
    """Return the offset in the text of each character of a paragraph, which has no indentation and no markers."""
    offsets: list[int] = []
    for number, part in enumerate(content.split("\n"), first):
        start = starts[number]
        column = max(text.find(part, start + columns.get(number, 0), starts[number + 1]) - start, 0)
        columns[number] = column + len(part)
        offsets += range(start + column, start + column + len(part) + 1)
    return offsets


@cache
def markdown_parser(*, tables: bool) -> Any:  # Any: the parser's own types are loaded with the parser
    """Return a parser of blocks, which parses paragraphs one by one, to know where each begins.

    The list "spans" in the environment of a paragraph receives the bounds of its code spans.
    """
    # Loaded here: most dialects have no imports, and most files have no mention in need of a parser.
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline, backtick

    def recorded(state: StateInline, silent: bool) -> bool:
        start, tokens = state.pos, len(state.tokens)
        done = backtick(state, silent)
        if done and not silent and any(token.type == "code_inline" for token in state.tokens[tokens:]):
            state.env.setdefault("spans", []).append((start, state.pos))
        return done

    parser = MarkdownIt("commonmark").enable(["table"] if tables else [])
    parser.core.ruler.disable("inline")
    parser.inline.ruler.at("backticks", recorded)
    return parser
