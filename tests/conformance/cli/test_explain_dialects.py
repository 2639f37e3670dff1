"""`loopspec explain` and `capabilities` on rules of instruction files: the axis, the value, and the dialects."""

from __future__ import annotations

import pytest

from loopspec.contract.dialects import DEFAULT_DIALECT, dialect, dialect_names, instruction_axes

from .in_process import said

OBSERVED = next(
    (axis, of.values[choice.observed].rule, name)
    for axis, of in instruction_axes().items()
    for name in dialect_names()
    if (choice := dialect(name).axes.get(axis)) and choice.observed
)


def test_a_value_that_a_tool_has_in_spite_of_its_document(capsys: pytest.CaptureFixture[str]) -> None:
    axis, rule, name = OBSERVED
    known, choice = dialect(name), dialect(name).axes[axis]

    lines = said(capsys, "explain", rule)

    source = f"measured with version {known.version}, while the document says {choice.documented}: {choice.link}"
    assert f"    {name:12} {source}" in lines


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
