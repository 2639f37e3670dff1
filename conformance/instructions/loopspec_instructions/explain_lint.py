"""`loopspec explain` of a rule of `loopspec lint`: what is wrong, why this matters, and what to do."""

from __future__ import annotations

from loopspec.cli.described import explain_described
from loopspec.cli.page import paragraph


def explain_lint(name: str) -> None:
    """Print one rule of `loopspec lint`, or a line for each. Raises `UsageError` for an unknown rule."""
    from .linting import rules, sources_of  # imports the reader of instruction files

    if (rule := explain_described("lint", rules(), name)) is None:
        return
    for source in sources_of(rule):
        paragraph(str(source), lead=[("source: ", "bold")], indent=2, hang=2)
    paragraph(f"lint.html#{rule.id} of `loopspec docs`", lead=[("example: ", "bold")], indent=2, hang=2)
