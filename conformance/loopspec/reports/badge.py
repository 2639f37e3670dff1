"""The number of passing rules as an endpoint badge: the JSON of a shields.io badge."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..engine.counting import counted
from ..engine.output import write_text
from ..specification.ledger import cases_by_rule
from .account import Account
from .ending import in_own_posture


def write_badge(path: Path, account: Account) -> None:
    """Write the badge: the passing ones of the judged normative rules, its dialect and posture, known failures."""
    badge = {"schemaVersion": 1, "label": "loopspec", "message": _message(account), "color": _color(account)}
    if not account.is_conformant:
        badge["isError"] = True  # lets no query override the color
    write_text(path, msgspec.json.encode(badge).decode() + "\n")


def _message(account: Account) -> str:
    if not account.is_finished or account.summary is None:
        return "not judged to the end"
    judged, passed = _counts(account)
    part = "" if len(account.rules) == len(cases_by_rule()) else ", of a selection"
    known = account.summary.cases["known"]
    own = in_own_posture(account.run.postures)
    return f"{passed}/{judged} rules{own}{part}" + (f", {counted(known, 'case')} known" if known else "")


def _color(account: Account) -> str:
    """Red for failures, orange for a stale baseline, yellow for known failures only."""
    if not account.is_finished or account.summary is None:
        return "lightgrey"
    if account.summary.exit_code:
        return "red" if account.summary.exit_code == 1 else "orange"
    return "yellow" if account.summary.cases["known"] else "brightgreen"


def _counts(account: Account) -> tuple[int, int]:
    """The number of judged rules, and of passing ones; under `strict`, advisory rules count too."""
    rules = account.rules if account.run.strict else account.of_basis(normative=True)
    verdicts = [rule.verdict for rule in rules if rule.verdict != "inapplicable"]
    return len(verdicts), sum(verdict == "passed" for verdict in verdicts)
