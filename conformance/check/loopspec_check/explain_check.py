"""`loopspec explain` of a rule of `loopspec check`: what is wrong, why this matters, what to do, and who refuses it."""

from __future__ import annotations

from loopspec.cli.page import paragraph
from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean

AREA = "CHECK"


def explain_check(name: str) -> None:
    """Print one rule of `loopspec check`, or a line for each. Raises `UsageError` for an unknown rule."""
    from .rules import providers, rules

    if name == AREA:
        for key, rule in rules().items():
            paragraph(rule.title, lead=[(f"{key:9} ", "bold cyan"), (f"{rule.severity:8} ", "")], hang=19)
        return
    if name not in rules():
        raise UsageError(f"there is no rule {name!r}{did_you_mean(name, rules(), 'see `loopspec explain CHECK`')}")
    rule = rules()[name]
    paragraph(rule.title, lead=[(f"{name}: ", "bold cyan")], style="bold", hang=2)
    print()
    paragraph(rule.why, lead=[(f"{rule.severity} of `loopspec check`: ", "bold")], indent=2, hang=2)
    paragraph(rule.fix, lead=[("what to do: ", "bold")], indent=2, hang=2)
    for provider, link in rule.refused.items():
        paragraph(link, lead=[(f"refused by {providers()[provider].title}: ", "bold")], indent=2, hang=2)
    if rule.rules:
        paragraph(", ".join(rule.rules), lead=[("rules of an agent loop: ", "bold")], indent=2, hang=2)
