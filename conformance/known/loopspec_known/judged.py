"""The results of the reference and of the known targets, as their reports have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loopspec.contract.faults import UsageError
from loopspec.contract.specification import adapters_root
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.reports.merging import whole
from loopspec.specification.features import compiled

from .results import Judged, judged
from .targets import Known, known_targets

REFERENCE = "conformance/adapters/reference"
# The folder of the adapters in the repository, whose results name it.
_ADAPTERS = "conformance/adapters"


def in_results() -> list[Known]:
    """The known targets of the results page: all that do more than read files or workspaces."""
    return [one for one in known_targets().values() if not set(one.declared.roles) <= {"backend", "workspace"}]


def from_report(report: Path, of: Known | None = None) -> Judged:
    """The results in a report on a known target, or on the reference. Raises `UsageError` for an incomplete report."""
    (found,) = whole([report])
    if found.summary is None:
        raise UsageError(f"the report {report} was cut off: run the suite again")
    baseline = load_baseline(of.baseline, compiled()) if of and of.baseline else Baseline()
    adapter = f"{_ADAPTERS}/{of.folder.relative_to(adapters_root()).as_posix()}" if of else REFERENCE
    return judged(str(found.run.identity), adapter, found.cases, baseline, postures=found.run.postures)


def differences(shipped: Judged, found: Judged) -> Iterator[str]:
    """What differs between two results of one implementation, each as a sentence: versions, postures, rules, cases."""
    if shipped.name != found.name:
        yield f"{found.name} is judged, and the results that ship are those of {shipped.name}"
    for axis in sorted({*shipped.postures, *found.postures}):
        was, is_ = (of.postures[axis].value if axis in of.postures else "not declared" for of in (shipped, found))
        if was != is_:
            yield f"{found.name}: the posture {axis} is {is_}, and {was} in the results that ship"
    before, now = shipped.by_rule(), found.by_rule()
    for rule in sorted({*before, *now}):
        was, is_ = before.get(rule, "inapplicable"), now.get(rule, "inapplicable")
        if was != is_:
            yield f"{found.name}: {rule} is {is_}, and {was} in the results that ship"
    listed, known = ({case for one in of.differences for case in one.cases} for of in (shipped, found))
    for case in sorted(known - listed):
        yield f"{found.name}: {case!r} is a known failure, and is none in the results that ship"
    for case in sorted(listed - known):
        yield f"{found.name}: {case!r} is no known failure, and is one in the results that ship"
