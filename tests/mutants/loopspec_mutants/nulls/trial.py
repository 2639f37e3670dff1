"""Trials of null targets: which cases pass, and whether `features/null_targets.toml` lists exactly these cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial

import msgspec
from msgspec import Struct

from loopspec.contract.errors import Reported
from loopspec.contract.roles import Role
from loopspec.contract.specification import features_root
from loopspec.contract.values import Error, ErrorKind
from loopspec.engine.judge import judge
from loopspec.engine.result import by_rule
from loopspec.specification.cases import Case

from ..trial import DEADLINE
from .agents import At, RefusingAgent
from .registry import NULLS, Null


class Passes(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the list: the cases that these null targets pass, and the reason why passing is right."""

    targets: tuple[str, ...]
    cases: tuple[str, ...]
    reason: str


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    passes: tuple[Passes, ...]


@dataclass(frozen=True)
class NullTrial:
    """The result of a null target: the judged cases, the passed ones, and the rules that pass as a whole."""

    null: Null
    judged: frozenset[str]
    passed: frozenset[str]
    whole: frozenset[str]
    broken: frozenset[str]


def listed() -> tuple[Passes, ...]:
    """Return the entries of `features/null_targets.toml`."""
    return msgspec.toml.decode((features_root() / "null_targets.toml").read_bytes(), type=_File).passes


def try_null(null: Null, cases: Iterable[Case]) -> NullTrial:
    """Judge a null target by these cases, in each dialect that it is judged in."""
    wanted = [case for case in cases if null.role in case.roles]
    results = []
    for each in null.targets():
        with closing(each) as target:
            results += [judge(case, target, null.role, DEADLINE) for case in wanted]
    found = [result for result in results if result.verdict != "inapplicable"]
    return NullTrial(
        null,
        frozenset(result.case for result in found),
        frozenset(result.case for result in found if result.verdict == "passed"),
        frozenset(rule for rule, of in by_rule(found).items() if {one.verdict for one in of.values()} == {"passed"}),
        frozenset(result.case for result in found if result.verdict not in ("passed", "failed")),
    )


def wrong_with(trials: Sequence[NullTrial], entries: Sequence[Passes]) -> Iterator[str]:
    """Yield what is wrong with the list, in both directions, and with the trials."""
    for trial in trials:
        name = trial.null.name
        named = [pattern for entry in entries if name in entry.targets for pattern in entry.cases]
        for case in sorted(trial.passed):
            fitting = sum(fnmatchcase(case, pattern) for pattern in named)
            if fitting != 1:
                yield f"the null target {name!r} passes {case}, which null_targets.toml lists {fitting} times"
        for case in sorted(trial.judged - trial.passed):
            if any(fnmatchcase(case, pattern) for pattern in named):
                yield f"the null target {name!r} does not pass {case}, which null_targets.toml lists"
        for pattern in named:
            if not any(fnmatchcase(case, pattern) for case in trial.judged):
                yield f"null_targets.toml lists {pattern!r} for {name!r}, and no judged case fits"
        yield from (f"{rule} passes as a whole on the null target {name!r}" for rule in sorted(trial.whole))
        yield from (f"the null target {name!r} is broken in {case}" for case in sorted(trial.broken))
    unknown = {target for entry in entries for target in entry.targets} - NULLS.keys()
    yield from (f"null_targets.toml names {target!r}, which is no null target" for target in sorted(unknown))


def whole_rules(kind: ErrorKind, at: At, role: Role, cases: Sequence[Case]) -> list[str]:
    """Return the rules that pass as a whole on a target that refuses everything with one kind of error.

    A case whose rules have all failed is not judged.
    """

    def error(text: str) -> Exception:
        return Reported(Error(kind=kind, message=text))

    null = Null(role, "refusal", "Refuses everything.", partial(RefusingAgent, at, error))
    passed, failed = set[str](), set[str]()
    (agent,) = null.targets()
    with closing(agent) as target:
        for case in cases:
            if role in case.roles and not failed.issuperset(case.rule.ids):
                result = judge(case, target, role, DEADLINE)
                if result.verdict != "inapplicable":
                    (passed if result.verdict == "passed" else failed).update(result.rules)
    return sorted(passed - failed)
