"""A finding for a reader: a scenario that can be pasted, both outcomes, and an entry of a file of known differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loopspec.contract.axes import Postures
from loopspec.contract.target import Target
from loopspec_steps.writing.expectations import expectations, holds
from loopspec_steps.writing.scenes import write_scene
from loopspec_steps.writing.steps import WrittenStep, scenario_text

from ..comparing.differences import Difference, described, sides
from ..comparing.postured import apart, related
from .search import Finding

_THENS = 3  # of those that show the difference


@dataclass(frozen=True)
class Printed:
    """A finding in words. `is_shown`: a Then of the scenario fails on the target and passes on the other one."""

    scenario: str
    is_shown: bool


def scenario_of(finding: Finding, title: str) -> Printed:
    """The scenario of a finding: what holds on the other target, and fails on the target."""
    steps = write_scene(finding.performed.scene)
    thens, is_shown = _thens(finding, steps)
    text = scenario_text(title, [*steps, *thens])
    if not is_shown:
        text = f"    # No Then of the phrasebook shows the difference.\n{text}"
    return Printed(text, is_shown)


def _thens(finding: Finding, steps: Sequence[WrittenStep]) -> tuple[list[WrittenStep], bool]:
    """The Thens, and whether they fail on the target. Those about the source of the difference come first.

    A Then that another one continues is left out: `the run fails` next to `the run fails with the error "a"`.
    """
    performed = finding.performed
    if performed.theirs is None:
        return [], False
    found = expectations(performed.scene, steps, performed.theirs)
    ours = performed.ours
    failing = [one for one in found if ours is None or not holds(one.check, ours)]  # all fail after a crash
    first = finding.difference.source
    of_texts = {one.step.text: one for one in reversed(failing)}  # of equal sentences, the first
    whole = [one for text, one in of_texts.items() if not any(other.startswith(f"{text} ") for other in of_texts)]
    ordered = sorted(whole, key=lambda one: (one.source != first, failing.index(one)))
    return [one.step for one in (ordered[:_THENS] or found[:1])], bool(ordered)


def lines_of_postures(ours: Postures, theirs: Postures) -> Iterator[str]:
    """A line for each axis on which two targets have different values, below a sentence about them."""
    if different := apart(ours, theirs):
        yield "The targets have different postures, and a difference below may follow from one of them:"
        yield from (f"  {axis}: {one} ≠ {other}" for axis, (one, other) in different.items())


def lines_of(finding: Finding, number: int, seed: int, ours: Target, theirs: Target) -> Iterator[str]:
    """The lines about a finding on two targets."""
    yield f"difference {number}: {finding.difference.kind}"
    of_scene = related(finding.performed.scene, ours.postures, theirs.postures)
    yield from (
        f"  may follow from the postures on the axis {axis}: {one} ≠ {other}" for axis, (one, other) in of_scene.items()
    )
    if not finding.repeats:
        yield "  A second attempt does not show the difference."
    yield ""
    yield scenario_of(finding, f"Difference {number} of seed {seed}").scenario.rstrip("\n")
    yield ""
    yield f"  ours is {ours.identity}, theirs is {theirs.identity}"
    for difference in _in_order(finding):
        yield from (f"  {line}" for line in described(difference))
    yield ""
    yield from (f"  {line}" for line in entry_of(finding.difference))
    yield ""


def _in_order(finding: Finding) -> list[Difference]:
    """The difference, and then those of the other sources."""
    first = finding.difference
    return [first, *(one for one in finding.performed.found if one != first)]


def entry_of(difference: Difference) -> Iterator[str]:
    """The entry that passes over exactly this difference."""
    ours, theirs = (_pattern(text) for text in sides(difference))
    yield "[[difference]]"
    yield f"source = {_quoted(difference.source)}"
    yield f"path = {_quoted(difference.path)}"
    yield f"ours = {_quoted(ours)}"
    yield f"theirs = {_quoted(theirs)}"
    yield 'reason = ""'


def _pattern(text: str) -> str:
    """A pattern for a value; a long one, and one with stars of its own, is not spelled out."""
    return text if len(text) <= 80 and "*" not in text else "*"


def _quoted(text: str) -> str:
    """A text as a basic string of TOML."""
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"
