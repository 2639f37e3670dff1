"""`loopspec explain` of a rule of `loopspec check`: what is wrong, why this matters, what to do, and who refuses it."""

from __future__ import annotations

from loopspec.cli.described import explain_described
from loopspec.cli.page import paragraph


def explain_check(name: str) -> None:
    """Print one rule of `loopspec check`, or a line for each. Raises `UsageError` for an unknown rule."""
    from .rules import known

    if (rule := explain_described("check", known().rules, name)) is None:
        return
    for provider, link in rule.refused.items():
        paragraph(link, lead=[(f"refused by {known().providers[provider].title}: ", "bold")], indent=2, hang=2)
    if rule.rules:
        paragraph(", ".join(rule.rules), lead=[("rules of an agent loop: ", "bold")], indent=2, hang=2)
