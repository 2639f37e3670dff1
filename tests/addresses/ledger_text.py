"""Edits of the ledger by lines, which keep comments, order and every other row."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from msgspec import structs

from loopspec.specification.ledger import NotCovered

from .forms import AddressError

_RULE = re.compile(r"^\[rules\.([A-Z0-9-]+)\]\n", re.MULTILINE)
_STATEMENT = "[[not_covered]]\n"
_TABLE = re.compile(r"(?:^#.*\n)*^\[", re.MULTILINE)
_ADDRESS = ("where", "says", "digest")
# the keys that precede an address in a rule's row
_BEFORE = re.compile(r"(?:basis|document|sections|also) = ")


def with_rules(text: str, fields: Mapping[str, Mapping[str, str]]) -> str:
    """The ledger with these fields in the rows of these rules, replaced in place or added after the sections."""
    return _checked(text, "".join(_with_fields(block, fields) for block in _blocks(text)))


def with_sections(text: str, sections: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """The ledger with exactly these sections of each document in the rows of these rules."""

    def edited(block: str) -> str:
        header = _RULE.search(block)
        if not header or header[1] not in sections:
            return block
        document = tomllib.loads(block)["rules"][header[1]]["document"]
        also = [f"{name} = {_listed(of)}" for name, of in sections[header[1]].items() if name != document]
        written = [f"sections = {_listed(sections[header[1]][document])}\n"]
        written += [f"also = {{ {', '.join(also)} }}\n"] if also else []
        lines = [line for line in block.splitlines(keepends=True) if not line.startswith("also = ")]
        at = next(n for n, line in enumerate(lines) if line.startswith("sections = "))
        lines[at : at + 1] = written
        return "".join(lines)

    return _checked(text, "".join(map(edited, _blocks(text))), but=(*_ADDRESS, "sections", "also"))


def with_decisions(text: str, decisions: Mapping[str, str]) -> str:
    """The ledger with these decisions in the rows of these rules, which already have a decision."""

    def edited(block: str) -> str:
        header = _RULE.search(block)
        if not header or header[1] not in decisions:
            return block
        line = f"decision = {_quoted(decisions[header[1]])}\n"
        return "".join(line if old.startswith("decision = ") else old for old in block.splitlines(keepends=True))

    return _checked(text, "".join(map(edited, _blocks(text))), but=(*_ADDRESS, "decision"))


def with_statements(text: str, statements: Iterable[NotCovered]) -> str:
    """The ledger with these statements that no rule covers.

    They replace those of the same document and address; the first ones of an address follow all others, or precede the
    first rule.
    """
    blocks = _blocks(text)
    of_unit: dict[tuple[str, str], list[NotCovered]] = {}
    for statement in statements:
        of_unit.setdefault((statement.document, statement.where), []).append(statement)
    for unit, made in of_unit.items():
        own = [n for n, block in enumerate(blocks) if _STATEMENT in block]
        same = [n for n in own if _unit(blocks[n]) == unit]
        first_rule = next((n for n, block in enumerate(blocks) if _RULE.search(block)), len(blocks))
        at = same[0] if same else own[-1] + 1 if own else first_rule
        comments = "".join(blocks[n].partition(_STATEMENT)[0] for n in same)
        blocks = [block for n, block in enumerate(blocks) if n not in same]
        blocks[at:at] = [comments + _written(made[0]), *map(_written, made[1:])]
    return _checked(text, "".join(blocks))


def _written(statement: NotCovered) -> str:
    lines = [f"{key} = {_quoted(value)}\n" for key, value in structs.asdict(statement).items()]
    return "".join([_STATEMENT, *lines, "\n"])


def _blocks(text: str) -> list[str]:
    """The head, and each table with the comments directly before it."""
    starts = [table.start() for table in _TABLE.finditer(text)]
    return [text[a:b] for a, b in pairwise([0, *starts, len(text)])]


def _unit(block: str) -> tuple[str, str]:
    """The document and the address of a statement."""
    (row,) = tomllib.loads(block)["not_covered"]
    return row["document"], row["where"]


def _with_fields(block: str, fields: Mapping[str, Mapping[str, str]]) -> str:
    header = _RULE.search(block)
    if not header or header[1] not in fields:
        return block
    wanted = fields[header[1]]
    lines = [line for line in block.splitlines(keepends=True) if line.partition(" = ")[0] not in wanted]
    at = max(n for n, line in enumerate(lines) if n == 0 or _BEFORE.match(line)) + 1
    at += _run_of(lines[at:], ("where", "says"))
    lines[at:at] = [f"{key} = {_quoted(value)}\n" for key, value in wanted.items()]
    return "".join(lines)


def _run_of(lines: Sequence[str], keys: Sequence[str]) -> int:
    """The number of leading lines with one of these keys."""
    return next((n for n, line in enumerate(lines) if line.partition(" = ")[0] not in keys), len(lines))


def _checked(before: str, after: str, but: Sequence[str] = _ADDRESS) -> str:
    """The edited text if both texts are ledgers that differ in these keys alone. Raises `AddressError`."""
    with suppress(tomllib.TOMLDecodeError):
        if _without(before, but) == _without(after, but):
            return after
    raise AddressError("the ledger cannot be edited by lines: write each key of a rule in one line of its own")


def _without(text: str, keys: Sequence[str]) -> object:
    book = tomllib.loads(text)
    book.pop("not_covered", None)
    for row in book["rules"].values():
        for key in keys:
            row.pop(key, None)
    return book


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    """A TOML string, which equals the JSON string of a text without surrogates."""
    return json.dumps(text, ensure_ascii=False)
