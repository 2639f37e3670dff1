"""Merges the reports of shards into the report of the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import asdict, replace

from ..contract.faults import UsageError
from ..contract.specification import digest
from ..engine.baseline import Baseline, Known
from ..engine.result import CaseLine, case_line, result_of
from ..engine.run import SuiteRun, Summary
from ..specification.sources import case_named
from ..targets.absent import AbsentTarget
from .account import Account, account_from, parts_of
from .jsonl import Line, RunLine

# The fields that may differ between the shards of one run.
_OF_EACH = ("shard", "planned", "began", "short")
# The name of a field in an error, where the field's own name is unclear.
_SHOWN = {
    "suite": "version of loopspec",
    "features": "version of the features",
    "identity": "name or version of the implementation",
    "roles": "list of roles it declares",
    "capabilities": "list of capabilities it declares",
    "postures": "list of postures it declares",
    "role": "role it is judged in",
    "strict": "use of --strict",
    "whole": "selection of cases",
    "of": "number of shards",
}


@dataclass(frozen=True)
class Whole:
    """The report of a whole run, and its files: one file, or those of all shards.

    `summary` is None for a truncated report. Merged shards have one, and their cases are in the order of the plan.
    """

    paths: tuple[Path, ...]
    run: RunLine
    cases: tuple[CaseLine, ...]
    summary: Summary | None

    @property
    def lines(self) -> list[Line]:
        """The lines of the report as one file."""
        return [self.run, *self.cases, *([self.summary] if self.summary else [])]

    @property
    def account(self) -> Account:
        """The report with its cases. Raises `UsageError` for a report about other features than those in use."""
        return account_from(self.paths[0], self.run, self.cases, self.summary)


@dataclass(frozen=True, eq=False)
class _Part:
    path: Path
    run: RunLine
    cases: tuple[CaseLine, ...]
    summary: Summary | None

    @property
    def common(self) -> dict[str, object]:
        """The fields that all shards of a run share."""
        return {name: value for name, value in asdict(self.run).items() if name not in _OF_EACH} | {"of": self.of}

    @property
    def number(self) -> int:
        return self.run.shard.number if self.run.shard else 1

    @property
    def of(self) -> int:
        return self.run.shard.of if self.run.shard else 1


def whole(paths: Sequence[Path]) -> tuple[Whole, ...]:
    """The reports of whole runs: shards of one run become one report, in the position of the first of them.

    Raises `UsageError` for a report that cannot be read, for a shard that is truncated, missing or repeated, and for a
    case in no shard or in two.
    """
    groups = _grouped([_Part(path, *parts_of(path)) for path in paths])
    return tuple(_united(group).report if group[0].run.shard else _alone(group[0]) for group in groups)


class Merged(NamedTuple):
    """The report of the whole run, the run itself, and its summary."""

    report: Whole
    suite_run: SuiteRun
    summary: Summary


def merged(paths: Sequence[Path]) -> Merged:
    """Merge the shards of one run.

    Raises `UsageError` as `whole` does, and for files that are not shards of one run.
    """
    groups = _grouped([_Part(path, *parts_of(path)) for path in paths])
    for group in groups:
        if group[0].run.shard is None:
            raise UsageError(f"{group[0].path} is no shard: it is the report of a whole run already")
    if len(groups) > 1:
        _must_not_be_mixed(groups[0][0], [group[0] for group in groups[1:]])
        files = " and ".join(str(group[0].path) for group in groups[:2])
        raise UsageError(f"{files} are about different targets: merge the shards of each into a file of its own")
    return _united(groups[0])


def _grouped(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Group the shards of each run; each other report is its own group."""
    groups: list[list[_Part]] = []
    for part in parts:
        group = next((g for g in groups if part.run.shard and g[0].run.shard and g[0].common == part.common), None)
        if group is None:
            groups.append([part])
        else:
            group.append(part)
    for group in groups:
        if group[0].run.shard:
            _must_be_whole(group, [part for part in parts if part.run.shard and part not in group])
    return groups


def _alone(part: _Part) -> Whole:
    return Whole((part.path,), part.run, part.cases, part.summary)


def _must_be_whole(group: Sequence[_Part], others: Sequence[_Part]) -> None:
    """Raise `UsageError` for shards that overlap or omit cases."""
    first = group[0]
    numbered: dict[int, _Part] = {}
    for part in group:
        if part.summary is None:
            raise UsageError(f"{part.path}, shard {part.run.shard} of {part.run.target}, was cut off: run it again")
        other = numbered.setdefault(part.number, part)
        if other is not part:
            both = f"{other.path} and {part.path}"
            raise UsageError(f"{both} are both shard {part.run.shard} of {part.run.target}: give one of them")
    missing = [str(number) for number in range(1, first.of + 1) if number not in numbered]
    if missing:
        _must_not_be_mixed(first, others)
        which = f"shard {missing[0]} is" if len(missing) == 1 else f"shards {', '.join(missing)} are"
        raise UsageError(f"of the {first.of} shards of {first.run.target} {which} missing: given is {_files(group)}")
    owners: dict[str, _Part] = {}
    for part in group:
        for case in part.run.planned:
            other = owners.setdefault(case, part)
            if other is not part:
                both = f"{other.path} and {part.path}"
                raise UsageError(f"{both} both have the case {case!r}: run the shards again")
    if lost := [case for case in first.run.whole if case not in owners]:
        raise UsageError(f"none of the shards {_files(group)} has the case {lost[0]!r}: run them again")


def _must_not_be_mixed(first: _Part, others: Iterable[_Part]) -> None:
    """If a shard is missing, name a shard of another run of the same target in its place."""
    for other in others:
        if other.run.target == first.run.target:
            name = next(name for name in first.common if first.common[name] != other.common[name])
            what = _SHOWN.get(name, name)
            raise UsageError(
                f"{first.path} and {other.path} are shards of different runs of {first.run.target}: the {what} is not "
                "the same"
            )


def _files(group: Iterable[_Part]) -> str:
    return ", ".join(str(part.path) for part in group)


def _united(group: Sequence[_Part]) -> Merged:
    parts = sorted(group, key=lambda part: part.number)
    first = parts[0].run
    began = min((part.run.began for part in parts if part.run.began), default=0.0)
    shortened = {name for part in parts for name in part.run.short}
    short = tuple(name for name in first.whole if name in shortened)
    run = replace(first, shard=None, whole=(), planned=first.whole, began=began, short=short)
    lines: dict[str, CaseLine] = {}
    for part in parts:
        own = set(part.run.planned)
        for line in part.cases:
            if line.case in own or ((case := case_named(line.case)) and case.is_implied):
                lines.setdefault(line.case, line)
    paths = tuple(part.path for part in parts)
    summaries = [part.summary for part in parts if part.summary]
    suite_run = _rerun(run, lines.values(), summaries, paths)
    summary = suite_run.finish(interrupted=any(each.interrupted for each in summaries))
    cases = [lines.get(name) or case_line(result) for name, result in suite_run.results.items()]
    return Merged(Whole(paths, run, tuple(cases), summary), suite_run, summary)


def _rerun(run: RunLine, cases: Iterable[CaseLine], summaries: Sequence[Summary], paths: Sequence[Path]) -> SuiteRun:
    """Rebuild the run from its report, so that it adds up like any run."""
    if run.features != digest():
        raise UsageError(
            f"{', '.join(map(str, paths))} are about other features than these: use the loopspec that wrote them "
            f"({run.suite}), or run the suite again"
        )
    suite_run = SuiteRun(
        AbsentTarget(run.identity, run.roles, run.capabilities, run.postures),
        run.target,
        [case.shortened() if name in run.short else case for name in run.planned if (case := case_named(name))],
        baseline=Baseline(tuple(Known(case=name, reason="see the baseline") for name in run.baseline)),
        strict=run.strict,
        role=run.role,
        seed=run.seed,
    )
    for line in cases:
        suite_run.take_reported(result_of(line))
    suite_run.canary = all(each.canary for each in summaries)
    suite_run.aborted = next((each.aborted for each in summaries if each.aborted), "")
    return suite_run
