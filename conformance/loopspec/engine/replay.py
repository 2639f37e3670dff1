"""The recorded cases of a report, judged again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from ..contract.roles import Role
from ..contract.target import Target
from ..specification.cases import Case
from ..specification.selection import must_fit
from ..specification.sources import case_named, fits
from .checking import look
from .judge import judge
from .result import CaseLine, Result, Verdict

# Judges a case again from its line in a report, or returns why that is impossible.
Again: TypeAlias = Callable[[Case, CaseLine], Result | str]

# Verdicts whose names do not fit into a sentence.
_BECAME: Mapping[Verdict, str] = {"timed-out": "timed out", "not-run": "not run"}


@dataclass(frozen=True)
class Replayed:
    """One case of a report: the earlier verdict, and the new result.

    Without a result, `why_not` is the reason; `owed` is whether the case had not passed, so that a result was expected.
    """

    case: str
    then: CaseLine | None
    now: Result | None = None
    why_not: str = ""
    owed: bool = False

    @property
    def is_as_then(self) -> bool:
        """Whether the verdict is unchanged; a known failure counts as a failure."""
        if self.then is None or self.now is None:
            return False
        return self.now.verdict == ("failed" if self.then.verdict == "known" else self.then.verdict)


def chosen(planned: Iterable[str], lines: Iterable[CaseLine], glob: str) -> list[tuple[str, CaseLine | None]]:
    """The cases of a report that match a glob, by the id of the case or of a rule, each with its line if there is one.

    `planned` are the planned cases of the report's run.

    Raises `UsageError` when there is none.
    """
    recorded: dict[str, CaseLine] = {}
    for line in lines:
        recorded.setdefault(line.case, line)
    rules: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys((*planned, *recorded)):
        case = None if name in recorded else case_named(name)
        rules[name] = recorded[name].rules if name in recorded else case.rule.ids if case else ()
    ids = sorted({rule for of_case in rules.values() for rule in of_case})
    must_fit("case or rule in the report", [glob], [*rules, *ids])
    return [
        (name, recorded.get(name))
        for name, of_case in rules.items()
        if any(fits(each, glob) for each in (name, *of_case))
    ]


def replayed(cases: Iterable[tuple[str, CaseLine | None]], again: Again) -> Iterator[Replayed]:
    """Judge each recorded case again with the current features."""
    for name, line in cases:
        if line is None:
            yield Replayed(name, line, why_not="the report was cut off before it")
        elif why_not := _nothing_recorded(line):
            yield Replayed(name, line, why_not=why_not)
        elif (case := case_named(name)) is None:
            yield Replayed(name, line, why_not="no feature has it now", owed=True)
        else:
            now = again(case, line)
            why_not, result = (now, None) if isinstance(now, str) else ("", now)
            yield Replayed(name, line, result, why_not, owed=result is None)


def look_again(case: Case, line: CaseLine) -> Result | str:
    """Check the recorded Observation, or return why that is impossible."""
    if line.observation is None:
        why_not = line.inexact or f"it {_BECAME.get(line.verdict, line.verdict)}, so there is nothing to look at"
        return f"{why_not}; --target performs its scene again"
    if case.source and line.scene is not None:
        case = case.with_scene(line.scene)  # one of several scenes of the case
    return replace(look(case, line.observation), inexact=line.inexact)


def perform_again(target: Target, role: Role | None, deadline: float, case: Case, line: CaseLine) -> Result | str:
    """Perform the recorded Scene and check the new observation, or return why that is impossible."""
    if line.scene is None:
        return "its scene was not recorded"
    return judge(case.with_scene(line.scene), target, role, deadline)


def _nothing_recorded(line: CaseLine) -> str:
    """The reason why there is nothing to judge again; empty for a case that did not pass."""
    match line.verdict:
        case "passed" | "stale":
            return "it passed, so nothing was recorded"
        case "inapplicable" | "not-run":
            return f"it was {_BECAME.get(line.verdict, line.verdict)}: {line.message}"
    return ""
