"""`loopspec explain` of a rule of instruction files: its axis, its value, and the dialects that have the value."""

from __future__ import annotations

from ...contract.dialects import Holder, holders, instruction_axes, value_of_rule
from ..page import paragraph

# How the rules of one axis relate to the documents of the tools.
RELATION = "the tools answer differently, and each dialect names the document or the measured version of its value"
KIND = "normative in a dialect whose document states the value, else advisory"


def print_dialects(rule: str) -> None:
    """Print the axis and the value of a rule of instruction files, and each dialect with the value."""
    if rule not in value_of_rule():
        return
    axis, value = value_of_rule()[rule]
    known = instruction_axes()[axis]
    others = ", ".join(f"{name} ({one.rule})" for name, one in known.values.items() if name != value)
    print()
    paragraph(f"{known.question} The other values: {others}.", lead=[(f"{axis}: {value} ", "bold")], indent=2, hang=2)
    found = holders(axis, value)
    paragraph("dialects with this value:" if found else "no dialect has this value", indent=2, style="bold")
    for one in found:
        paragraph(_source(one), lead=[(f"{one.name:12} ", "bold cyan")], indent=4, hang=13)


def _source(one: Holder) -> str:
    """Where the value of a dialect comes from."""
    choice, version = one.choice, one.dialect.version
    if one.how == "documented":
        differs = f" {one.dialect.title} {version} has {choice.observed} instead." if choice.observed else ""
        return f"documented: {choice.says} {choice.link}{differs}"
    if one.how == "observed":
        return f"measured with version {version}, while the document says {choice.documented}: {choice.link}"
    return f"measured with version {version}"
