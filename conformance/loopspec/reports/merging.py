"""Reads reports, and merges those of shards into the report of the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import asdict, replace

from ..contract.faults import UsageError
from ..contract.specification import digest
from ..engine.baseline import Baseline
from ..engine.baseline_text import Known
from ..engine.result import CaseLine, case_line, encoded
from ..engine.run import SuiteRun
from ..specification.sources import case_named
from ..targets.resolve import AbsentTarget
from .account import Account, read_account
from .jsonl import RunLine

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


def read_accounts(paths: Sequence[Path]) -> tuple[Account, ...]:
    """The reports of whole runs: shards of one run become one report, in the position of the first of them.

    Raises `UsageError` for a report that cannot be read, for a shard that is truncated, missing or repeated, and for a
    case in no shard or in two.
    """
    return tuple(_united(group) if group[0].run.shard else group[0] for group in _grouped(paths))


def merged(paths: Sequence[Path]) -> Account:
    """The report of a whole run, of the reports of its shards.

    Raises `UsageError` as `read_accounts` does, and for files that are not shards of one run.
    """
    groups = _grouped(paths)
    for group in groups:
        if group[0].run.shard is None:
            raise UsageError(f"{_files(group)} is no shard: it is the report of a whole run already")
    if len(groups) > 1:
        _must_not_be_mixed(groups[0][0], [group[0] for group in groups[1:]])
        files = " and ".join(_files(group[:1]) for group in groups[:2])
        raise UsageError(f"{files} are about different targets: merge the shards of each into a file of its own")
    return _united(groups[0])


def _grouped(paths: Sequence[Path]) -> list[list[Account]]:
    """Group the shards of each run; each other report is its own group."""
    reports = [read_account(path) for path in paths]
    found: dict[object, list[Account]] = {}
    for number, report in enumerate(reports):
        found.setdefault(encoded(_common(report.run)) if report.run.shard else number, []).append(report)
    groups = list(found.values())
    for group in groups:
        if group[0].run.shard:
            others = [report for report in reports if report.run.shard and report not in group]
            _must_be_whole(group, others)
    return groups


def _common(run: RunLine) -> dict[str, object]:
    """The values that all shards of a run share."""
    of = run.shard.of if run.shard else 1
    return {name: value for name, value in asdict(run).items() if name not in _OF_EACH} | {"of": of}


def _number(shard: Account) -> int:
    return shard.run.shard.number if shard.run.shard else 1


def _must_be_whole(group: Sequence[Account], others: Sequence[Account]) -> None:
    """Raise `UsageError` for shards that overlap or omit cases."""
    first = group[0].run
    numbered: dict[int, Account] = {}
    owners: dict[str, Account] = {}
    for shard in group:
        if shard.summary is None:
            raise UsageError(f"{_files([shard])}, shard {shard.run.shard} of {first.target}, was cut off: run it again")
        if (other := numbered.setdefault(_number(shard), shard)) is not shard:
            both = _files([other, shard], " and ")
            raise UsageError(f"{both} are both shard {shard.run.shard} of {first.target}: give one of them")
    numbers = range(1, first.shard.of + 1 if first.shard else 1)
    if missing := [str(number) for number in numbers if number not in numbered]:
        _must_not_be_mixed(group[0], others)
        which = f"shard {missing[0]} is" if len(missing) == 1 else f"shards {', '.join(missing)} are"
        raise UsageError(f"of the {len(numbers)} shards of {first.target} {which} missing: given is {_files(group)}")
    for shard in group:
        for case in shard.run.planned:
            if (other := owners.setdefault(case, shard)) is not shard:
                raise UsageError(f"{_files([other, shard], ' and ')} both have the case {case!r}: run the shards again")
    if lost := [case for case in first.whole if case not in owners]:
        raise UsageError(f"none of the shards {_files(group)} has the case {lost[0]!r}: run them again")


def _must_not_be_mixed(first: Account, others: Iterable[Account]) -> None:
    """If a shard is missing, name a shard of another run of the same target in its place."""
    common = _common(first.run)
    for other in others:
        if other.run.target == first.run.target:
            name = next(name for name, value in _common(other.run).items() if value != common[name])
            raise UsageError(
                f"{_files([first, other], ' and ')} are shards of different runs of {first.run.target}: the "
                f"{_SHOWN.get(name, name)} is not the same"
            )


def _files(reports: Iterable[Account], sign: str = ", ") -> str:
    return sign.join(str(path) for report in reports for path in report.paths)


def _united(group: Sequence[Account]) -> Account:
    """The report of the whole run. The first line about a case counts.

    Raises `UsageError` for shards that are about other features than those in use.
    """
    shards = sorted(group, key=_number)
    first = shards[0].run
    if first.features != digest():
        raise UsageError(
            f"{_files(shards)} are about other features than these: use the loopspec that wrote them ({first.suite}), "
            "or run the suite again"
        )
    shortened = {name for shard in shards for name in shard.run.short}
    short = tuple(name for name in first.whole if name in shortened)
    run = replace(first, shard=None, whole=(), planned=first.whole, short=short)
    suite_run = _again(run)
    lines: dict[str, CaseLine] = {}
    for shard in shards:
        own = set(shard.run.planned)
        for line in shard.lines:
            if line.case in own or ((case := case_named(line.case)) and case.is_implied):
                lines.setdefault(line.case, line)
    for line in lines.values():
        suite_run.take_reported(line)
    summaries = [shard.summary for shard in shards if shard.summary]
    suite_run.canary = all(each.canary for each in summaries)
    suite_run.aborted = next((each.aborted for each in summaries if each.aborted), "")
    summary = suite_run.finish(any(each.interrupted for each in summaries))
    cases = tuple(lines.get(name) or case_line(result) for name, result in suite_run.results.items())
    began = min((shard.run.began for shard in shards if shard.run.began), default=0.0)
    return Account(tuple(path for shard in shards for path in shard.paths), replace(run, began=began), cases, summary)


def _again(run: RunLine) -> SuiteRun:
    """A run with the plan in the first line of a report, before its first result: it adds up like any run."""
    cases = (case for name in run.planned if (case := case_named(name)))
    return SuiteRun(
        AbsentTarget(run.identity, run.roles, run.capabilities, run.postures),
        run.target,
        [case.shortened() if case.id in run.short else case for case in cases],
        baseline=Baseline(tuple(Known(case=name, reason="see the baseline") for name in run.baseline)),
        strict=run.strict,
        role=run.role,
        seed=run.seed,
        variants=run.variants,
    )
