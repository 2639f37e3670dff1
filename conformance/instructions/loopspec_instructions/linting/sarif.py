"""Findings in SARIF 2.1.0, which code-scanning services and editors read."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from loopspec import __version__

from .findings import Finding, Report
from .rules import rules

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Object = dict[str, Any]  # Any: JSON


def sarif(report: Report) -> Object:
    """One run with all rules. An ignored finding is a suppressed result with the reason."""
    numbers = {key: number for number, key in enumerate(rules())}
    results = [_result(one, report.path_of(one), numbers) for one in report.findings]
    for ignored in report.suppressed:
        result = _result(ignored.finding, report.path_of(ignored.finding), numbers)
        result["suppressions"] = [{"kind": "external", "justification": ignored.reason}]
        results.append(result)
    driver = {"name": "loopspec", "semanticVersion": _version(), "rules": [_rule(key) for key in rules()]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _version() -> str:
    """The version as SemVer has it: `0.2.0.dev0` becomes `0.2.0-dev0`."""
    return __version__.replace(".dev", "-dev")


def _rule(key: str) -> Object:
    rule = rules()[key]
    return {
        "id": key,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(one: Finding, path: str, numbers: dict[str, int]) -> Object:
    uri = quote(os.fsencode(path))
    message = " ".join([one.message, *(f"{difference}." for difference in one.differences)])
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": one.line}}
    return {
        "ruleId": one.rule,
        "ruleIndex": numbers[one.rule],
        "level": one.severity,
        "message": {"text": message.encode(errors="backslashreplace").decode()},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"loopspec/v1": f"{one.rule}:{uri}:{','.join(one.tools)}"},
        "properties": {"tools": list(one.tools)},
    }
