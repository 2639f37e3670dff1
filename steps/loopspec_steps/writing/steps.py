"""The text of written steps in Gherkin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..builders.scenario import Check, ScenarioBuilder
from ..cells import names_text
from ..declarations import NotWritable as NotWritable
from ..phrasebook import Kind
from ..phrasebook import WrittenStep as WrittenStep


def given(text: str) -> WrittenStep:
    """A Given without a table."""
    return WrittenStep("given", text)


def some(start: str, names: Sequence[str], none: str) -> str:
    """The text of a step that ends with names, or without names another text."""
    return f"{start} {names_text(names)}" if names else none


def take_step(builder: ScenarioBuilder, step: WrittenStep) -> Check | None:
    """Add a step to a scenario that is being built. Raises `PhraseError` for a step that no phrase fits."""
    return builder.take(step.kind, step.text, step.table or None, step.docstring)


def scenario_text(title: str, steps: Sequence[WrittenStep], indent: str = "    ") -> str:
    """The text of a scenario that can be pasted below a `Rule:` of a feature."""
    lines = [f"{indent}Scenario: {title}"]
    before: Kind | None = None
    for step in steps:
        keyword = "And" if step.kind == before else step.kind.capitalize()
        lines.append(f"{indent}  {keyword} {step.text}")
        lines += [f"{indent}    {line}" if line else "" for line in _below(step)]
        before = step.kind
    return "\n".join(lines) + "\n"


def _below(step: WrittenStep) -> Iterator[str]:
    if step.table:
        rows = [[_escaped_cell(cell) for cell in row] for row in step.table]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
    if step.docstring is not None:
        yield '"""'
        yield from step.docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').split("\n")
        yield '"""'


def _escaped_cell(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")
