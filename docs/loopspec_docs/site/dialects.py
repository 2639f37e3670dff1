"""The dialects of instruction files for the site: the matrix of dialects and axes, and a page for each dialect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Literal

from loopspec.contract.dialects import Axis, Choice, Dialect, dialect, dialect_names, instruction_axes, tool_dialect
from loopspec.pages import rules
from loopspec.specification.cases import area_of
from loopspec.specification.order import areas_in_order, topic
from loopspec_instructions.skills import questions, skill_dialects
from loopspec_instructions.touch import touch_dialects, touch_questions

from .markdown import anchor, chip, code, coded, counted, heading, items, link, matrix, of_rule, page, plain
from .words import TEXTS, intro

State = Literal["documented", "measured", "unknown", "none"]

# What a state means, in the order of the legend.
STATES: Mapping[State, str] = {
    "documented": "the document of the tool states the value",
    "measured": "the document is silent, and the value was measured with the named version",
    "unknown": "the document is silent, and the tool was not measured",
    "none": "the question does not concern the tool",
}
_MARKS: Mapping[State, str] = {"documented": "value D", "measured": "value M", "unknown": "?", "none": "–"}
_OF_FILES = ("names", "local-file", "rules-folder", "global-file")


def dialect_address(name: str) -> str:
    """The page of a dialect in the site: a dialect as observed is on the page of its tool."""
    return f"dialects/{tool_dialect(name)}.html"


def axis_address(name: str) -> str:
    """An axis, on the page of all dialects."""
    return f"dialects.html#{name}"


@cache
def dialects() -> dict[str, Dialect]:
    """Every dialect by its name: the judged ones first."""
    found = {name: dialect(name) for name in dialect_names()}
    return dict(sorted(found.items(), key=lambda item: not item[1].judged))


@cache
def axes_by_area() -> dict[str, dict[str, Axis]]:
    """Every axis, in the order of the file, by the area of its rules."""
    found: dict[str, dict[str, Axis]] = {}
    for name, axis in instruction_axes().items():
        found.setdefault(area_of(next(iter(axis.values.values())).rule), {})[name] = axis
    return found


def state_of(choice: Choice | None) -> State:
    """How the value of a dialect on an axis is known."""
    if choice is None:
        return "none"
    return "documented" if choice.documented else "measured" if choice.measured else "unknown"


def pages() -> dict[str, str]:
    """Make the matrix, and the page of each dialect."""
    return {"dialects.md": _matrix(), **{f"dialects/{name}.md": _page(name, one) for name, one in dialects().items()}}


def _matrix() -> str:
    head = ["Question"]
    for name, known in dialects().items():
        version = known.version if known.judged else "not judged: document alone"
        head.append(f"{link(plain(known.title), dialect_address(name))}<br><small>{plain(version)}</small>")
    groups = []
    for area, own in axes_by_area().items():
        title = link(plain(topic(area)), f"rules/{area}.html") if area in areas_in_order() else plain(topic(area))
        rows = [f'<tr><th scope="rowgroup" colspan="{len(head)}">{title}</th></tr>']
        for key, axis in own.items():
            cells = "".join(f"<td>{_cell(name, known, key, axis)}</td>" for name, known in dialects().items())
            rows.append(f'<tr id="{key}"><th scope="row">{plain(axis.question)}</th>{cells}</tr>')
        groups.append("".join(rows))
    legend = [f"**{_MARKS[state]}** {meaning}" for state, meaning in STATES.items()]
    legend.append("**≠ value** the tool does this instead of what its document says above")
    table = matrix("dialects", head, groups, "Dialects and axes")
    more = [
        heading(2, TEXTS["file-names"]["title"], "file-names"),
        items(map(_file_names, dialects().values())),
        *_answers("on-touch", touch_questions(), touch_dialects()),
        *_answers("skills", questions(), skill_dialects()),
    ]
    return page(*intro("dialects"), items(legend), TEXTS["dialects"]["try"].strip(), table, *more, hide="[toc]")


def _file_names(known: Dialect) -> str:
    """What a tool loads by the names of files, as measured or else as documented."""
    of = [(instruction_axes()[key].values, known.axes.get(key)) for key in _OF_FILES]
    said = [
        plain(values[name].sentence) for values, one in of if one and (name := one.observed or one.judged) in values
    ]
    return f"**{plain(known.title)}**: {' '.join(said) or 'The tool loads configured files only.'}"


def _answers(name: str, asked: Mapping[str, Axis], tools: Mapping[str, Dialect]) -> list[str]:
    """The answers of tools to questions that no rule judges."""
    head = ["Question", *(f"{plain(one.title)}<br><small>{plain(one.version)}</small>" for one in tools.values())]
    rows = []
    for key, axis in asked.items():
        cells = "".join(f"<td>{_answer(one.axes.get(key))}</td>" for one in tools.values())
        rows.append(f'<tr id="{name}-{key}"><th scope="row">{plain(axis.question)}</th>{cells}</tr>')
    texts = TEXTS[name]
    return [heading(2, texts["title"], name), texts["text"].strip(), matrix(f"of-{name}", head, rows, texts["title"])]


def _answer(choice: Choice | None) -> str:
    if choice is None or choice.unknown:
        return "?" if choice else "–"
    letter = "D" if choice.documented else "M"
    shown = link(letter, choice.link) if choice.link else letter
    return f"{choice.judged} {shown}{f' ≠ {choice.observed}' if choice.observed else ''}"


def _cell(name: str, known: Dialect, key: str, axis: Axis) -> str:
    choice = known.axes.get(key)
    state, at = state_of(choice), f"{dialect_address(name)}#{key}"
    if choice is None:
        return '<span title="not concerned">–</span>'
    if state == "unknown":
        return f'<a href="{at}" title="unknown">?</a>'
    letter = f'<a href="{at}" title="{state}" class="letter">{state[0].upper()}</a>'
    observed = f" ≠ {_value(axis, choice.observed)}" if choice.observed else ""
    return f"{_value(axis, choice.judged)} {letter}{observed}"


def _value(axis: Axis, value: str) -> str:
    meaning = axis.values[value]
    at = rules()[meaning.rule].address if meaning.rule in rules() else ""
    return link(value, at) if at else value


def _page(name: str, known: Dialect) -> str:
    states = Counter(state_of(known.axes.get(key)) for key in instruction_axes())
    differing = [key for key, choice in known.axes.items() if choice.observed]
    how = f"Measured with {code(known.tool)} {plain(known.version)}."
    if not known.judged:
        reason = "the suite cannot run the tool." if known.tool else "the document is no tool."
        how = f"{chip('not judged', 'status')} Described by its document alone: {reason}"
    differs = "No difference from its document was measured." if known.judged else ""
    if differing:
        places = ", ".join(link(key, f"#{key}") for key in differing)
        differs = (
            f"{plain(known.title)} differs from its document on {counted(len(differing), 'axis', 'axes')}: {places}."
        )
    documents = ", ".join(link(plain(at), at) for at in known.documents)
    parts = [
        f"# How {plain(known.title)} reads instruction files",
        how,
        f"Axes: {', '.join(f'{states[state]} {state}' for state in STATES)}. {differs}",
        f"Documents: {documents}.",
        *_history(known),
        f"`loopspec show FOLDER --as {name}` prints what the tool loads from a folder.",
        f"`loopspec run TARGET --dialect {name}` judges a loader of yours.",
    ]
    for area, own in axes_by_area().items():
        parts.append(heading(2, plain(topic(area)), area))
        for key, axis in own.items():
            parts += [f"{anchor(key)}**{plain(axis.question)}**", items(_axis(known, key, axis))]
    return page(*parts)


def _history(known: Dialect) -> list[str]:
    if not known.history:
        return []
    changes = (
        f"**{plain(one.version)}:** {coded(one.says)} {link('Source', one.link) if one.link else 'Measured.'}"
        for one in known.history
    )
    return [heading(2, "What changed with which version", "history"), items(changes)]


def _axis(known: Dialect, key: str, axis: Axis) -> list[str]:
    """The value of a dialect on an axis, where it is from, and what was observed instead."""
    choice = known.axes.get(key)
    state = state_of(choice)
    label = link(
        f"{key}{f': {choice.judged}' if choice and state in ('documented', 'measured') else ''}",
        f"../{axis_address(key)}",
    )
    lines = [f"{label} {chip('not concerned' if state == 'none' else state, state)}"]
    if choice is None:
        return [*lines, f"The question does not concern {plain(known.title)}."]
    lines += [_meaning(axis, choice.judged)] if choice.judged in axis.values else []
    if state == "documented":
        lines.append(f"Document: {coded(choice.says)} {link('Source', choice.link)}")
    elif state == "measured":
        lines.append(f"Measured with {plain(f'{known.title} {known.version}')}; the document is silent")
    else:
        lines.append(f"Unknown: {coded(choice.unknown)}")
    if choice.observed:
        lines.append(
            f"{chip('differs from its document', 'failed')} Observed with {plain(f'{known.title} {known.version}')}: "
            f"{_meaning(axis, choice.observed)} {code(choice.observed)} instead of {code(choice.documented)}"
        )
    return lines


def _meaning(axis: Axis, value: str) -> str:
    return f"{plain(axis.values[value].sentence)} {of_rule(axis.values[value].rule, '../')}"
