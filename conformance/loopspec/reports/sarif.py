"""Findings in SARIF 2.1.0, which code-scanning services and editors read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from msgspec import Struct

from .. import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Object = dict[str, Any]  # Any: JSON


class Described(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of a command that finds something in files: what is wrong, why this matters, and what to do."""

    title: str
    why: str
    fix: str
    severity: Literal["error", "warning", "note"]


def sarif(rules: Mapping[str, Described], results: Sequence[Object]) -> Object:
    """One run with all rules, by their ids, and the results that `sarif_result` made."""
    version = __version__.replace(".dev", "-dev")  # as SemVer has it
    driver = {"name": "loopspec", "semanticVersion": version, "rules": [_rule(*one) for one in rules.items()]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def sarif_result(rules: Mapping[str, Described], rule: str, message: str, path: str, line: int) -> Object:
    """A finding of a rule. Bytes of a path that are no characters are percent-encoded."""
    place = {"artifactLocation": {"uri": quote(os.fsencode(path))}, "region": {"startLine": line}}
    return {
        "ruleId": rule,
        "ruleIndex": [*rules].index(rule),
        "level": rules[rule].severity,
        "message": {"text": message.encode(errors="backslashreplace").decode()},
        "locations": [{"physicalLocation": place}],
    }


def _rule(key: str, rule: Described) -> Object:
    return {
        "id": key,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.severity},
    }
