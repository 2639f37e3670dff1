"""Markdown as a parser has it: front matter, comments that are blocks of their own, and mentions in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from msgspec import Struct

from .dialect import Dialect
from .regions import COMMENT, Place, Region, line_starts, markdown_parser, offsets_in

_FRONT_MATTER = re.compile(r"\ufeff?---\s*\n(.*?)---\s*\n?", re.DOTALL)
_PATHS = re.compile(r"^(paths|applyTo):[ \t]*(.*)((?:\n[ \t]*-.*)*)", re.MULTILINE)
_RULE_LINE = re.compile(r"^---\s*$", re.MULTILINE)
_RULE_FIELD = re.compile(r"^(alwaysApply|globs|regex|invokable):[ \t]*(.*(?:\n[ \t]*-.*)*)", re.MULTILINE)
_FALSE = ("", "false", "null", "~", "''", '""')
_INNERMOST = {"list_item_open": 1, "blockquote_open": 1, "list_item_close": -1, "blockquote_close": -1}


class Run(Struct, frozen=True, gc=False):
    """A text without marks of Markdown in it. `offsets` are those of its characters in the whole text."""

    text: str
    offsets: Sequence[int]
    place: Place | None = None


def without_front_matter(text: str) -> str:
    """Return a text without what stands between two lines of hyphens at its start."""
    found = _FRONT_MATTER.match(text)
    return text[found.end() :] if found else text


def is_for_named_paths(data: bytes, dialect: Dialect) -> bool:
    """Return whether a field in the front matter of a rule names paths, and not all paths."""
    front_matter = _FRONT_MATTER.match(data.decode(errors="replace"))
    for field, line, lines in _PATHS.findall(front_matter[1]) if front_matter else ():
        parts = [*line.strip().strip("[]\"'").split(","), *lines.split("\n")]
        patterns = {part.strip().removeprefix("-").strip().strip("\"'") for part in parts}
        if field in dialect.rule_fields and patterns - {"", *dialect.every_path}:
            return True
    return False


def rule_body(text: str) -> str | None:
    """Return the text after the front matter of a rule, or None for a rule that a model does not always receive."""
    text = text.replace("\r\n", "\n")
    _, *parts = _RULE_LINE.split(text)
    if len(parts) < 2:
        return text
    fields = {name: value.strip() for name, value in _RULE_FIELD.findall(parts[0])}
    is_limited = any(fields.get(name, "") not in _FALSE for name in ("globs", "regex"))
    is_always = fields.get("alwaysApply", "false" if is_limited else "true") == "true"
    return "---".join(parts[1:]).strip() if is_always and fields.get("invokable", "") in _FALSE else None


def with_line_feeds(text: str) -> str:
    """Return a text in which each line ending is a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=64)  # a file is looked at to see whether it is empty, and then loaded
def without_comment_blocks(text: str) -> str:
    """Return a text without the comments that are blocks; with one, each line ending becomes a line feed."""
    plain = with_line_feeds(text)
    starts = line_starts(plain)
    parts: list[str] = []
    at = 0
    for token in markdown_parser(tables=False).parse(plain):
        if token.type != "html_block" or token.level or not _is_comment(token.content):
            continue
        first, last = starts[token.map[0]], starts[token.map[1]]
        while plain.startswith("\n", last):
            last += 1
        rest = COMMENT.sub("", plain[first:last])
        parts += [plain[at:first], rest if rest.strip() else ""]
        at = last
    return "".join([*parts, plain[at:]]) if parts else text


def _is_comment(html: str) -> bool:
    return html.lstrip().startswith("<!--") and "-->" in html


def html_blocks(text: str) -> list[Region]:
    """Return the blocks of HTML that are no comments."""
    if "<" not in text:
        return []
    starts = line_starts(text)
    tokens = markdown_parser(tables=False).parse(text)
    blocks = [token for token in tokens if token.type == "html_block" and not _is_comment(token.content)]
    return [Region(starts[token.map[0]], starts[token.map[1]], "comment") for token in blocks]


@lru_cache(maxsize=64)  # several dialects read the same files in turn, and a parse is the slowest step
def runs(text: str, *, spans_in_lists: bool, html: bool) -> Sequence[Run]:
    """Return the texts between marks, in order, and the texts of code and of comments with their place.

    `spans_in_lists`: a paragraph of a list is also one text with its marks, which comes first. `html`: the text of HTML
    that is no comment is a text.
    """
    starts, parser = line_starts(text), markdown_parser(tables=False)
    found, around = list[Run](), list[str]()
    definitions: dict[str, Any] = {}  # Any: the parser's own
    tokens = parser.parse(text, definitions)
    for number, token in enumerate(tokens):
        if token.type in _INNERMOST:
            around = [*around, token.type] if _INNERMOST[token.type] > 0 else around[:-1]
        elif token.type in ("fence", "code_block", "html_block"):
            found += _block(token, text, starts, html=html)
        elif token.type == "inline":
            offsets = offsets_in(token.content, text, starts, token.map[0], {})
            is_item = around[-1:] == ["list_item_open"] and tokens[number - 1].type == "paragraph_open"
            if is_item and spans_in_lists:
                found.append(Run(token.content, offsets))
            parts: list[Any] = []
            parser.inline.parse(token.content, parser, definitions, parts)
            found += _inline(token.content, parts, offsets, html=html)
    return found


def _block(token: Any, text: str, starts: Sequence[int], *, html: bool) -> Iterator[Run]:
    first, last = starts[token.map[0]], starts[token.map[1]]
    offsets = range(first, last + 1)
    if token.type != "html_block":
        yield Run(text[first:last], offsets, "code" if token.type == "fence" else "indented")
    elif _is_comment(token.content):
        masked = COMMENT.sub(lambda found: " " * len(found[0]), text[first:last])
        yield Run(text[first:last], offsets, "comment") if not masked.strip() else Run(masked, offsets)
    elif html:
        yield Run(text[first:last], offsets)


def _inline(content: str, tokens: Sequence[Any], offsets: Sequence[int], *, html: bool) -> Iterator[Run]:
    """Yield the texts of a paragraph. A token has no place in it, so each is looked for after the one before."""
    pieces: list[tuple[str, str]] = []
    for is_text, group in groupby(tokens, key=_is_as_written):
        parts = [(token.type, token.markup or token.content or "\n" if is_text else token.content) for token in group]
        pieces += [("text", "".join(part for _, part in parts))] if is_text else parts
    at = 0
    for kind, text in pieces:
        is_comment = kind == "html_inline" and text.startswith("<!--")
        if text and (kind in ("text", "code_inline") or is_comment or (html and kind == "html_inline")):
            start = max(content.find(text, at), 0)
            at = start + len(text)
            yield Run(text, offsets[start:at], "comment" if is_comment else "code" if kind == "code_inline" else None)


def _is_as_written(token: Any) -> bool:
    """Return whether a token is a text, an entity, or a backslash before a character that needs none."""
    is_special = token.type == "text_special" and (token.info == "entity" or token.content == token.markup)
    return bool(token.type in ("text", "softbreak") or is_special)
