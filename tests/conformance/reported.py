"""Reports written without a run, for the tests of the report page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from loopspec.contract.specification import digest
from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine, Verdict
from loopspec.engine.run import Summary, by_verdict
from loopspec.pages.report.page import render
from loopspec.reports.account import Account
from loopspec.reports.jsonl import RunLine
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled

AREA = "AMD-DEPTH"


def cases_of(*rules: str) -> list[Case]:
    """The cases of rules or of areas, in the order of the features."""
    return [case for case in compiled() if any(one.startswith(rules) for one in case.rule.ids)]


def line_of(case: Case, verdict: Verdict = "passed", **said: Any) -> CaseLine:
    """The line of a case in a report, with its scene where a report has one."""
    has_scene = verdict not in ("passed", "inapplicable", "not-run")
    given: dict[str, Any] = {
        "seconds": 0.01 if has_scene else 0.0,
        "location": "",
        "message": "",
        "scene": case.scene if has_scene else None,
    }
    return CaseLine(case=case.id, rules=case.rule.ids, verdict=verdict, **(given | said))


def report_of(
    lines: Iterable[CaseLine],
    name: str = "mine",
    *,
    planned: Iterable[Case] = (),
    finished: bool = True,
    exit_code: int = 0,
    aborted: str = "",
    stale: tuple[str, ...] = (),
    **run: Any,
) -> Account:
    """A report with these lines; additional cases can be planned."""
    found = tuple(lines)
    ids = tuple(dict.fromkeys([*(case.id for case in planned), *(line.case for line in found)]))
    given: dict[str, Any] = {
        "features": digest(),
        "target": f"py:{name}:make",
        "identity": Identity(name=name, version="1.0"),
        "roles": ("loader",),
        "capabilities": (),
        "role": None,
        "strict": False,
        "seed": 0,
        "planned": ids,
    }
    summary = Summary(
        cases=by_verdict(line.verdict for line in found),
        normative=by_verdict(()),
        advisory=by_verdict(()),
        no_scenario={},
        planned=len(ids),
        accounted=len(found),
        executed=len(found),
        canary=True,
        aborted=aborted,
        interrupted=False,
        exit_code=exit_code,
        stale=stale,
    )
    return Account((Path(f"{name}.jsonl"),), RunLine(**(given | run)), found, summary if finished else None)


def passing(*rules: str, name: str = "mine", but: Callable[[Case], CaseLine | None] = lambda case: None) -> Account:
    """A report in which all cases pass, except cases for which `but` returns a line."""
    return report_of([but(case) or line_of(case) for case in cases_of(*rules or (AREA,))], name)


def page_of(*reports: Account) -> str:
    """The page of some reports."""
    return render(reports)
