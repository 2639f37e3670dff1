"""What `loopspec explain` prints of a rule of a command that finds something in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from ..contract.faults import UsageError
from ..contract.names import did_you_mean
from ..reports.sarif import Described
from .page import paragraph

_Rule = TypeVar("_Rule", bound=Described)


def explain_described(command: str, rules: Mapping[str, _Rule], name: str) -> _Rule | None:
    """Print the rule with the id and return it; or print a line for each if the name is that of the command.

    Raises `UsageError` for an unknown rule.
    """
    if name == command.upper():
        lead = max(map(len, rules)) + 1
        for key, one in rules.items():
            pieces = [(f"{key:{lead}} ", "bold cyan"), (f"{one.severity:8} ", "")]
            paragraph(one.title, lead=pieces, hang=lead + 10)
        return None
    if (rule := rules.get(name)) is None:
        see = f"see `loopspec explain {command.upper()}`"
        raise UsageError(f"there is no rule {name!r}{did_you_mean(name, rules, see)}")
    paragraph(rule.title, lead=[(f"{name}: ", "bold cyan")], style="bold", hang=2)
    print()
    paragraph(rule.why, lead=[(f"{rule.severity} of `loopspec {command}`: ", "bold")], indent=2, hang=2)
    paragraph(rule.fix, lead=[("what to do: ", "bold")], indent=2, hang=2)
    return rule
