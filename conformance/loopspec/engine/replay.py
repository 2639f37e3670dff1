"""What a report recorded of cases, judged once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from ..contract.capabilities import Role
from ..contract.needs import needed_capabilities, serving_roles
from ..contract.target import Target
from ..specification.cases import Act, Case
from ..specification.features import compiled
from ..specification.selection import fits, must_fit
from .judge import judge, look
from .result import CaseLine, Result
from .verdict import Verdict

# Judges a case again by what a line of a report has of it; or says why that cannot be done.
Again: TypeAlias = Callable[[Case, CaseLine], Result | str]

_BECAME: Mapping[Verdict, str] = {"timed-out": "timed out", "not-run": "not run"}  # where the verdict is no word


@dataclass(frozen=True)
class Replayed:
    """One case of a report: the verdict of then, and the result of now.

    Without a result, `why_not` says why; `owed` is whether the case had not passed, so that one was to be expected.
    """

    case: str
    then: CaseLine | None
    now: Result | None = None
    why_not: str = ""
    owed: bool = False

    @property
    def is_as_then(self) -> bool:
        """Whether the verdict is the same; a failure that was known is a failure."""
        if self.then is None or self.now is None:
            return False
        return self.now.verdict == ("failed" if self.then.verdict == "known" else self.then.verdict)


def chosen(planned: Iterable[str], lines: Iterable[CaseLine], glob: str) -> list[tuple[str, CaseLine | None]]:
    """The cases of a report that a glob means, by the id of the case or of a rule, each with its line if it has one.

    `planned` are the cases that the report's run had planned.

    Raises `UsageError` when there is none.
    """
    recorded: dict[str, CaseLine] = {}
    for line in lines:
        recorded.setdefault(line.case, line)
    today = {case.id: case for case in compiled()}
    rules = {
        name: recorded[name].rules if name in recorded else today[name].rule.ids if name in today else ()
        for name in dict.fromkeys((*planned, *recorded))
    }
    ids = sorted({rule for of_case in rules.values() for rule in of_case})
    must_fit("case or rule in the report", [glob], [*rules, *ids])
    return [
        (name, recorded.get(name))
        for name, of_case in rules.items()
        if any(fits(each, glob) for each in (name, *of_case))
    ]


def replayed(cases: Iterable[tuple[str, CaseLine | None]], again: Again) -> Iterator[Replayed]:
    """Judge each case again of which something was recorded, by the features of today."""
    today = {case.id: case for case in compiled()}
    for name, line in cases:
        if line is None:
            yield Replayed(name, line, why_not="the report was cut off before it")
        elif why_not := _nothing_recorded(line):
            yield Replayed(name, line, why_not=why_not)
        elif name not in today:
            yield Replayed(name, line, why_not="no feature has it now", owed=True)
        else:
            now = again(today[name], line)
            why_not, result = (now, None) if isinstance(now, str) else ("", now)
            yield Replayed(name, line, result, why_not, owed=result is None)


def look_again(case: Case, line: CaseLine) -> Result | str:
    """Let the checks look at the Observation that was recorded; or say why they cannot."""
    if line.observation is None:
        why_not = line.inexact or f"it {_BECAME.get(line.verdict, line.verdict)}, so there is nothing to look at"
        return f"{why_not}; --target performs its scene again"
    return replace(look(case, line.observation), inexact=line.inexact)


def perform_again(target: Target, role: Role | None, deadline: float, case: Case, line: CaseLine) -> Result | str:
    """Perform the Scene that was recorded, and let the checks look at what is seen now; or say why that cannot be."""
    if line.scene is None:
        return "its scene was not recorded"
    scene = line.scene
    act = Act(scene, tuple((step, replace(check, scene=scene)) for step, check in case.checks))
    recorded = replace(case, load=lambda: act, roles=serving_roles(scene), needs=needed_capabilities(scene))
    return judge(recorded, target, role, deadline)


def _nothing_recorded(line: CaseLine) -> str:
    """Why there is nothing to judge again; empty for a case that did not pass."""
    match line.verdict:
        case "passed" | "stale":
            return "it passed, so nothing was recorded of it"
        case "inapplicable" | "not-run":
            return f"it was {_BECAME.get(line.verdict, line.verdict)}: {line.message}"
    return ""
