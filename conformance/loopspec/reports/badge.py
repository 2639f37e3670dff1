"""How many rules pass, as an endpoint badge: the JSON that shields.io draws a badge from."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..engine.output import write_text
from ..specification.ledger import cases_by_rule
from .account import Account


def write_badge(path: Path, account: Account) -> None:
    """Write the badge: of the normative rules that could be judged, how many pass."""
    badge = {"schemaVersion": 1, "label": "loopspec", "message": _message(account), "color": _colour(account)}
    if not account.is_conformant:
        badge["isError"] = True  # whoever shows the badge cannot give it another colour
    write_text(path, msgspec.json.encode(badge).decode() + "\n")


def _message(account: Account) -> str:
    if not account.is_finished:
        return "not judged to the end"
    judged, passed = _counts(account)
    part = "" if len(account.rules) == len(cases_by_rule()) else ", of a selection"
    return f"{passed}/{judged} rules{part}"


def _colour(account: Account) -> str:
    """Red for failures, orange for a baseline that is stale, yellow where all that fails is known."""
    if not account.is_finished or account.summary is None:
        return "lightgrey"
    if account.summary.exit_code:
        return "red" if account.summary.exit_code == 1 else "orange"
    judged, passed = _counts(account)
    return "brightgreen" if passed == judged else "yellow"


def _counts(account: Account) -> tuple[int, int]:
    """The rules that were judged, and those of them that passed; under `strict`, advisory ones count, too."""
    rules = account.rules if account.run.strict else account.of_basis(normative=True)
    verdicts = [rule.verdict for rule in rules if rule.verdict != "inapplicable"]
    return len(verdicts), sum(verdict == "passed" for verdict in verdicts)
