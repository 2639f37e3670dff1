"""`loopspec explain` and `capabilities` on rules of instruction files: the axis, the value, and the dialects."""

from __future__ import annotations

import pytest

from loopspec.contract.dialects import DEFAULT_DIALECT, dialect, dialect_names, holders, instruction_axes, value_of_rule

from .in_process import said

OBSERVED = next(
    (axis, of.values[choice.observed].rule, name)
    for axis, of in instruction_axes().items()
    for name in dialect_names()
    if (choice := dialect(name).axes.get(axis)) and choice.observed
)


@pytest.mark.parametrize("rule", value_of_rule())
def test_a_rule_has_its_axis_its_value_and_the_dialects(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each dialect with its document or its measured version; other values with their rules."""
    axis, value = value_of_rule()[rule]

    lines = said(capsys, "explain", rule)

    at = next(number for number, line in enumerate(lines) if line.startswith(f"  {axis}: {value} "))
    assert instruction_axes()[axis].question in lines[at]
    assert all(one.rule in lines[at] for name, one in instruction_axes()[axis].values.items() if name != value)
    found = holders(axis, value)
    assert lines[at + 1] == ("  dialects with this value:" if found else "  no dialect has this value")
    for one, line in zip(found, lines[at + 2 :], strict=False):
        name, _, source = line.strip().partition(" ")
        assert name == one.name
        assert source.strip().startswith("documented: " if one.how == "documented" else "measured with version ")
        assert one.how == "measured" or one.choice.link in source


def test_a_value_that_a_tool_has_in_spite_of_its_document(capsys: pytest.CaptureFixture[str]) -> None:
    axis, rule, name = OBSERVED
    known, choice = dialect(name), dialect(name).axes[axis]

    lines = said(capsys, "explain", rule)

    source = f"measured with version {known.version}, while the document says {choice.documented}: {choice.link}"
    assert f"    {name:12} {source}" in lines


def test_the_basis_of_a_rule_is_that_of_the_dialect(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "explain", next(iter(value_of_rule())))

    assert "(normative in a dialect whose document states the value, else advisory)" in lines[2]


@pytest.mark.parametrize(("target", "has"), [("reference", DEFAULT_DIALECT), ("reference as codex", "codex")])
def test_capabilities_mark_the_dialect_of_a_target(target: str, has: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "capabilities", target)

    start = lines.index("Dialects of instruction files, for the role workspace:")
    marks = {line.split()[1]: line.split()[0] for line in lines[start + 1 : start + 1 + len(dialect_names())]}
    assert marks == {name: "yes" if name == has else "no" for name in dialect_names()}


def test_capabilities_list_the_dialects_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "capabilities")

    assert sum(line.split()[:1] == ["codex"] for line in lines) == 1
    assert not any(line.startswith("  dialect: ") for line in lines)
