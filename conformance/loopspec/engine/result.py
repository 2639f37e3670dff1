"""The verdict and the result of a case, and its JSON form: a line of a report, and a message of a worker process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ..contract.faults import in_one_line
from ..contract.observation import Observation
from ..contract.reasons import Inapplicable
from ..contract.scene import Scene

Verdict = Literal["crashed", "timed-out", "errored", "not-run", "failed", "stale", "known", "passed", "inapplicable"]

# Worst first. A rule is `inapplicable` only if all of its cases are.
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

# the verdicts of an unsuccessful run
FAILURES: frozenset[Verdict] = frozenset({"crashed", "timed-out", "errored", "not-run", "failed"})

# In a message, the line before the Givens that let concurrent calls return in the failing order.
IN_ORDER = "in the order of these Givens:"


class Result(Struct, frozen=True, tag="case", omit_defaults=True):
    """The result of a case. `location` is the file and line of the failing step; `seconds` is wall time.

    The Scene and the Observation are present if the case did not pass; `evidence` has texts by kind: printed output,
    that of a process, and the variants of a scene that has several. `reason` says why a case is inapplicable, and
    `message` the same in a sentence; `refused` is the message of a backend that refused the name of a passed case.
    `inexact` says why an Observation from JSON is missing or not exactly the original one. `holds` are the rules of the
    invariants that hold in the case, `broken` the results of those that do not, which have lines of their own in a
    report. `cause` and `kind` are those of a known failure in the baseline; the cause is the reason if it has no name.
    """

    case: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float = field(default_factory=float)  # a field with a factory is always written
    location: str = field(default_factory=str)
    message: str = field(default_factory=str)
    step: str = ""
    expected: str = ""
    seen: str = ""
    scene: Scene | None = None
    observation: Observation | None = None
    evidence: Mapping[str, str] = {}
    inexact: str = ""
    holds: tuple[str, ...] = ()
    cause: str = ""
    kind: str = ""
    reason: Inapplicable | None = None
    refused: str = ""
    broken: tuple[Result, ...] = ()


# A result as a line of a report has it: see `case_line`.
CaseLine: TypeAlias = Result


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a rule: the worst of its cases, and `inapplicable` only if all are; `passed` without any."""
    return min(verdicts, key=VERDICTS.index, default="passed")


def refused_names(results: Iterable[Result]) -> dict[str, str]:
    """The passed cases whose name the backend refused, each with the message of the refusal."""
    return {result.case: result.refused for result in results if result.verdict == "passed" and result.refused}


def by_rule(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    """The results of each rule by case, each in every rule of its tags. An invariant that always holds has none."""
    rules: dict[str, dict[str, Result]] = {}
    for result in results:
        for rule in result.rules:
            rules.setdefault(rule, {}).setdefault(result.case, result)
        for rule in result.holds:
            rules.setdefault(rule, {})
    return rules


def case_line(result: Result) -> CaseLine:
    """The line of one case."""
    kept = result.verdict not in ("passed", "inapplicable")
    evidence = dict(result.evidence) if kept else {}
    seen, inexact = _recorded(result.observation) if kept else (None, "")
    if inexact and seen is None:
        evidence["observation"] = _shown(result.observation)
    return replace(
        result,
        seconds=round(result.seconds, 6),
        scene=result.scene if kept else None,
        observation=seen,
        evidence=evidence,
        inexact=inexact or result.inexact,
        broken=(),
    )


def as_read(line: CaseLine) -> CaseLine:
    """The line as it is read from a file."""
    return msgspec.json.decode(encoded(line), type=CaseLine)


def _recorded(seen: Observation | None) -> tuple[Observation | None, str]:
    """The part of an Observation that JSON can represent, and the reason if a part is missing.

    Raises nothing, whatever a target has put into a value: one value must not break the report.
    """
    if seen is None:
        return None, ""
    try:
        if msgspec.json.decode(encoded(seen), type=Observation) == seen:
            return seen, ""
    except Exception as error:
        return None, f"what was seen cannot be written as JSON: {in_one_line(error)}"
    return seen, "what was seen holds values that JSON does not have, so the record shows them as text"


def _shown(value: object) -> str:
    """The `repr` of a value, if it has one."""
    try:
        return repr(value)
    except Exception as error:
        return f"it cannot be shown: {in_one_line(error)}"


def encoded(value: object) -> bytes:
    """JSON; a value that JSON cannot represent is written as its `repr`."""
    try:
        return msgspec.json.encode(value, enc_hook=repr)
    except UnicodeEncodeError:  # a lone surrogate, as in a file name that is not UTF-8
        return msgspec.json.encode(_escaped(msgspec.to_builtins(value, enc_hook=repr)))


def _escaped(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_escaped(key): _escaped(each) for key, each in value.items()}
        case list() | tuple():
            return [_escaped(each) for each in value]
    return value
