"""What opens of one rule: each implementation's verdict on each case, and what was recorded where it did not pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from textwrap import dedent
from typing import NamedTuple

from ...engine.result import CaseLine
from .. import PageRule
from .contents import Contents, Row
from .evidence import LIMIT, Part, cut, parts_of, scene_of
from .implementations import State


class Line(NamedTuple):
    """A line of what was expected or seen; `apart` where the other side has no such line."""

    text: str
    apart: bool


class Side(NamedTuple):
    """What one implementation did in a case that it did not pass. `key` is its letter."""

    key: str
    name: str
    line: CaseLine
    message: Part
    expected: Part
    seen: Part
    compared: tuple[tuple[Line, ...], tuple[Line, ...]]
    parts: Sequence[Part]


class ReportedCase(NamedTuple):
    """A case that something did not pass, with each side that did not. The scene is the same for all."""

    title: str
    scene: Part | None
    sides: Sequence[Side]


class Detail(NamedTuple):
    """A rule, opened. `left_out` says by its reason in which implementations cases were not judged."""

    row: Row
    rule: PageRule
    cases: Sequence[tuple[str, Sequence[State]]]
    left_out: Sequence[tuple[str, str]]
    reported: Sequence[ReportedCase]


def key_of(number: int) -> str:
    """The letter that stands for an implementation where its name has no room."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def detail(contents: Contents, rule: str, limit: int = LIMIT) -> Detail:
    """Everything there is about a rule."""
    cases = contents.cases[rule]
    row = contents.rows[rule]
    return Detail(
        row=row,
        rule=row.rule,
        cases=[(title_of(case), [one.state(case) for one in contents.implementations]) for case in cases],
        left_out=_left_out(contents, cases),
        reported=[reported for case in cases if (reported := _told(contents, case, limit)).sides],
    )


def title_of(case: str) -> str:
    """What the case is called within its rule."""
    return case.partition(" :: ")[2] or case


def _left_out(contents: Contents, cases: Sequence[str]) -> list[tuple[str, str]]:
    """Why cases have no verdict that says anything: the reason, and the letters of those it is true of."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for number, one in enumerate(contents.implementations):
        for case in cases:
            state = one.state(case)
            if state in ("inapplicable", "not-run"):
                found[f"{state}: {one.cases[case].message}"][key_of(number)] = None
            elif state == "no-result":
                found["no-result: the report was cut off"][key_of(number)] = None
            elif state == "absent":
                found["not in the report: the run did not ask for it"][key_of(number)] = None
    return [(reason, ", ".join(keys)) for reason, keys in found.items()]


def _told(contents: Contents, case: str, limit: int) -> ReportedCase:
    sides = []
    scene = None
    for number, one in enumerate(contents.implementations):
        line = one.cases.get(case)
        if line is None or line.verdict in ("passed", "inapplicable", "not-run"):
            continue
        scene = scene or scene_of(line, limit)
        message = line.message.partition("\n")[0] if line.expected or line.seen else line.message
        expected, seen = cut("expected", _outdented(line.expected), limit), cut("seen", _outdented(line.seen), limit)
        sides.append(
            Side(
                key=key_of(number),
                name=one.name,
                line=line,
                message=cut("message", message, limit),
                expected=expected,
                seen=seen,
                compared=compared(expected.text, seen.text),
                parts=parts_of(line, limit),
            )
        )
    return ReportedCase(title_of(case), scene, sides)


def _outdented(text: str) -> str:
    return dedent(text.strip("\n")) if text.startswith("\n") else text


def compared(expected: str, seen: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines of two texts, with those set apart that are not in the other; none where each is one line."""
    ours, theirs = expected.split("\n"), seen.split("\n")
    if len(ours) == len(theirs) == 1:
        return (Line(expected, False),), (Line(seen, False),)
    same = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    of_ours = {block.a + n for block in same for n in range(block.size)}
    of_theirs = {block.b + n for block in same for n in range(block.size)}
    return (
        tuple(Line(text, n not in of_ours) for n, text in enumerate(ours)),
        tuple(Line(text, n not in of_theirs) for n, text in enumerate(theirs)),
    )
