"""The findings of a report in SARIF."""

from __future__ import annotations

from loopspec.reports.sarif import Object, sarif, sarif_result

from .findings import Finding, Report
from .rules import rules


def sarif_of(report: Report) -> Object:
    """One run with all rules. An ignored finding is a suppressed result with the reason."""
    results = [_result(one, report.path_of(one)) for one in report.findings]
    for ignored in report.suppressed:
        result = _result(ignored.finding, report.path_of(ignored.finding))
        result["suppressions"] = [{"kind": "external", "justification": ignored.reason}]
        results.append(result)
    return sarif(rules(), results)


def _result(one: Finding, path: str) -> Object:
    message = " ".join([one.message, *(f"{difference}." for difference in one.differences)])
    result = sarif_result(rules(), one.rule, message, path, one.line)
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    result["partialFingerprints"] = {"loopspec/v1": f"{one.rule}:{uri}:{','.join(one.tools)}"}
    result["properties"] = {"tools": list(one.tools)}
    return result
