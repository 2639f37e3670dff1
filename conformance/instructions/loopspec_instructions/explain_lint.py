"""`loopspec explain` of a rule of `loopspec lint`: what is wrong, why this matters, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loopspec.cli.page import paragraph
from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean

if TYPE_CHECKING:
    from .linting import Rule

AREA = "LINT"


def explain_lint(name: str) -> None:
    """Print one rule of `loopspec lint`, or a line for each. Raises `UsageError` for an unknown rule."""
    from .linting import rules  # imports the reader of instruction files

    if name == AREA:
        for rule in rules().values():
            paragraph(rule.title, lead=[(f"{rule.id:8} ", "bold cyan"), (f"{rule.severity:8} ", "")], hang=18)
        return
    if name not in rules():
        raise UsageError(f"there is no rule {name!r}{did_you_mean(name, rules(), 'see `loopspec explain LINT`')}")
    _print_rule(rules()[name])


def _print_rule(rule: Rule) -> None:
    from .linting import sources_of

    paragraph(rule.title, lead=[(f"{rule.id}: ", "bold cyan")], style="bold", hang=2)
    print()
    paragraph(rule.why, lead=[(f"{rule.severity} of `loopspec lint`: ", "bold")], indent=2, hang=2)
    paragraph(rule.fix, lead=[("what to do: ", "bold")], indent=2, hang=2)
    for source in sources_of(rule):
        paragraph(str(source), lead=[("source: ", "bold")], indent=2, hang=2)
    paragraph(f"lint.html#{rule.id} of `loopspec docs`", lead=[("example: ", "bold")], indent=2, hang=2)
