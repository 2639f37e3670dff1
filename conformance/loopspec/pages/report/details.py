"""The details of one rule: the verdict of each case in each implementation, and the evidence where one did not pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from textwrap import dedent
from typing import NamedTuple

from ...engine.result import CaseLine
from ...reports.account import Account
from ..rules import PageRule
from .contents import Contents, Row, State
from .evidence import LIMIT, Part, cut, parts_of, scene_of


class ValueLine(NamedTuple):
    """A line of the expected or the seen value; `apart` where the other value has no such line."""

    text: str
    apart: bool


class Side(NamedTuple):
    """The evidence of one implementation in a case that it did not pass. `key` is its letter.

    `hint` names the axes that the implementation could declare a posture on.
    """

    key: str
    name: str
    line: CaseLine
    message: Part
    expected: Part
    seen: Part
    compared: tuple[tuple[ValueLine, ...], tuple[ValueLine, ...]]
    parts: Sequence[Part]
    hint: str = ""


class FailedCase(NamedTuple):
    """A case that some implementation did not pass, with each that did not. The scene is the same for all."""

    title: str
    scene: Part | None
    sides: Sequence[Side]


class Detail(NamedTuple):
    """A rule, opened. `left_out` has the reasons why cases were not judged, each with its implementations."""

    row: Row
    rule: PageRule
    cases: Sequence[tuple[str, Sequence[State]]]
    left_out: Sequence[tuple[str, str]]
    reported: Sequence[FailedCase]


def key_of(number: int) -> str:
    """The letter of an implementation, for places without room for its name."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def detail(contents: Contents, rule: str, limit: int = LIMIT) -> Detail:
    """The details of a rule."""
    cases = contents.cases.get(rule, ())  # none of an invariant that holds in every case
    row = contents.rows[rule]
    return Detail(
        row=row,
        rule=row.rule,
        cases=[(title_of(case), [_state(one, case) for one in contents.implementations]) for case in cases],
        left_out=_left_out(contents, cases),
        reported=[reported for case in cases if (reported := _reported(contents, case, limit)).sides],
    )


def _state(one: Account, case: str) -> State:
    return one.state(case) if case in one.results else "absent"


def title_of(case: str) -> str:
    """The title of a case within its rule."""
    return case.partition(" :: ")[2] or case


def _left_out(contents: Contents, cases: Sequence[str]) -> list[tuple[str, str]]:
    """Why cases were not judged: each reason with the letters of its implementations."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for number, one in enumerate(contents.implementations):
        for case in cases:
            state = _state(one, case)
            if state in ("inapplicable", "not-run"):
                found[f"{state}: {one.results[case].message}"][key_of(number)] = None
            elif state == "no-result":
                found["no-result: the report was cut off"][key_of(number)] = None
            elif state == "absent":
                found["not in the report: the run did not select it"][key_of(number)] = None
    return [(reason, ", ".join(keys)) for reason, keys in found.items()]


def _reported(contents: Contents, case: str, limit: int) -> FailedCase:
    sides = []
    scene = None
    for number, one in enumerate(contents.implementations):
        line = one.results.get(case)
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
                hint=one.hint([line]),
            )
        )
    return FailedCase(title_of(case), scene, sides)


def _outdented(text: str) -> str:
    return dedent(text.strip("\n")) if text.startswith("\n") else text


def compared(expected: str, seen: str) -> tuple[tuple[ValueLine, ...], tuple[ValueLine, ...]]:
    """The lines of two texts; lines that only one of them has are set apart, except where each is one line."""
    ours, theirs = expected.split("\n"), seen.split("\n")
    if len(ours) == len(theirs) == 1:
        return (ValueLine(expected, False),), (ValueLine(seen, False),)
    same = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    of_ours = {block.a + n for block in same for n in range(block.size)}
    of_theirs = {block.b + n for block in same for n in range(block.size)}
    return (
        tuple(ValueLine(text, n not in of_ours) for n, text in enumerate(ours)),
        tuple(ValueLine(text, n not in of_theirs) for n, text in enumerate(theirs)),
    )
