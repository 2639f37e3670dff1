"""The features, compiled: every scenario as a Scene and its checks, without pytest."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gherkin.pickles.compiler import Compiler

from loopspec_steps import Check, Drafting, PhraseError
from loopspec_steps.phrasebook import Kind

from ..contract.capabilities import Capability, Role
from ..contract.faults import SuiteError
from ..contract.needs import needed_capabilities, serving_roles
from ..contract.scene import Scene
from ..contract.specification import features_root
from .parsed import parse, parsed_features

# Where the case is that must fail, in a feature of its own.
CANARY_ROOT = Path(__file__).with_name("canary")

PROVENANCES = ("documented", "derived", "clarified")
_KINDS: dict[str, Kind] = {"Context": "given", "Action": "when", "Outcome": "then"}


@dataclass(frozen=True)
class Rule:
    """A `Rule:` of a feature."""

    ids: tuple[str, ...]
    provenance: str
    sentence: str
    description: str
    feature: str
    file: str
    line: int


@dataclass(frozen=True)
class Step:
    """One step of a scenario, as written and where."""

    kind: Kind
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.text}"


@dataclass(frozen=True)
class Case:
    """One scenario, or one row of an outline, ready to be judged.

    `id` names it in reports and baselines. `template` is the title before a row was put in, `row` the row's cells.
    """

    id: str
    rule: Rule
    title: str
    template: str
    row: tuple[str, ...]
    line: int
    steps: tuple[Step, ...]
    scene: Scene
    checks: tuple[tuple[Step, Check], ...]
    roles: tuple[Role, ...]
    needs: frozenset[Capability]

    @property
    def file(self) -> str:
        """The feature file, relative to the features."""
        return self.rule.file


def area_of(rule_id: str) -> str:
    """A rule's area: its id without the number."""
    return rule_id.rpartition("-")[0]


def compiled(root: Path | None = None) -> tuple[Case, ...]:
    """All cases, in the order of files and lines. Raises `SuiteError` for a feature that cannot be used."""
    return _compiled(root or features_root())


@cache
def _compiled(root: Path) -> tuple[Case, ...]:
    with _all_kept():
        return tuple(case for path, parsed in parsed_features(root).items() for case in _compile(parsed, path, root))


@contextmanager
def _all_kept() -> Iterator[None]:
    """Let nobody look for garbage where none is made: it would take a third of the time."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()


def compile_file(path: Path, root: Path) -> Iterator[Case]:
    """The cases of one file."""
    return _compile(parse(path), path, root)


def _compile(document: Any, path: Path, root: Path) -> Iterator[Case]:  # Any: gherkin's JSON-like tree
    file = path.relative_to(root).as_posix()
    document["uri"] = file
    origins = dict(_origins(document["feature"], file))
    seen: set[str] = set()
    for pickle in Compiler().compile(document):
        origin = origins[pickle["astNodeIds"][0]]
        case = _case(pickle, origin)
        if case.title in seen:
            raise SuiteError(f"{file}:{case.line}: a second scenario {case.title!r}; pytest-bdd would lose one")
        seen.add(case.title)
        yield case


@dataclass(frozen=True)
class _Origin:
    """Where a scenario stands."""

    rule: Rule
    scenario: Any  # gherkin's JSON-like tree
    lines: dict[str, int]
    rows: dict[str, tuple[str, ...]]


def _origins(feature: Any, file: str) -> Iterator[tuple[str, _Origin]]:
    background: dict[str, int] = {}
    for child in feature["children"]:
        if "background" in child:
            background = _step_lines(child["background"])
        elif "rule" in child:
            node = child["rule"]
            rule = _rule(node, feature["name"], file)
            for inner in node["children"]:
                if "background" in inner:
                    background = {**background, **_step_lines(inner["background"])}
                else:
                    scenario = inner["scenario"]
                    yield scenario["id"], _Origin(rule, scenario, background | _step_lines(scenario), _rows(scenario))
        else:
            where = f"{file}:{child['scenario']['location']['line']}"
            raise SuiteError(f"{where}: the scenario {child['scenario']['name']!r} stands under no Rule")


def _step_lines(node: Any) -> dict[str, int]:
    return {step["id"]: step["location"]["line"] for step in node["steps"]}


def _rows(scenario: Any) -> dict[str, tuple[str, ...]]:
    return {
        row["id"]: tuple(cell["value"] for cell in row["cells"])
        for examples in scenario["examples"]
        for row in examples["tableBody"]
    }


def _rule(node: Any, feature: str, file: str) -> Rule:
    tags = [tag["name"].lstrip("@") for tag in node["tags"]]
    provenances = [tag for tag in tags if tag in PROVENANCES]
    ids = tuple(tag for tag in tags if tag not in PROVENANCES)
    line = node["location"]["line"]
    if len(provenances) != 1 or not ids:
        raise SuiteError(
            f"{file}:{line}: the rule {node['name']!r} needs the tag of its id and one of {', '.join(PROVENANCES)}"
        )
    description = " ".join(node["description"].split())
    return Rule(ids, provenances[0], node["name"], description, feature, file, line)


def _case(pickle: Any, origin: _Origin) -> Case:
    file, row_ids = origin.rule.file, pickle["astNodeIds"][1:]
    drafting = Drafting()
    steps: list[Step] = []
    checks: list[tuple[Step, Check]] = []
    for node in pickle["steps"]:
        line = origin.lines[node["astNodeIds"][0]]
        kind = _KINDS[node["type"]]
        step = Step(kind, node["text"], line)
        steps.append(step)
        argument = node.get("argument") or {}
        table = argument.get("dataTable")
        rows = None if table is None else [[cell["value"] for cell in row["cells"]] for row in table["rows"]]
        docstring = argument["docString"]["content"] if "docString" in argument else None
        try:
            check = drafting.take(kind, step.text, rows, docstring)
        except PhraseError as error:
            raise SuiteError(f"{file}:{line}: {error}") from error
        if check:
            checks.append((step, check))
    if not checks:
        raise SuiteError(f"{file}: the scenario {pickle['name']!r} has no Then")
    scene = drafting.scene
    title = pickle["name"].replace("\n", "\\n")  # of a cell with a line end: an id is one line
    return Case(
        id=f"{origin.rule.ids[0]} :: {title}",
        rule=origin.rule,
        title=title,
        template=origin.scenario["name"],
        row=origin.rows[row_ids[0]] if row_ids else (),
        line=origin.scenario["location"]["line"],
        steps=tuple(steps),
        scene=scene,
        checks=tuple(checks),
        roles=serving_roles(scene),
        needs=needed_capabilities(scene),
    )
