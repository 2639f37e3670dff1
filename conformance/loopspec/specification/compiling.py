"""Feature files are compiled to stored cases. Imports gherkin's parser, which takes time."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler
from msgspec import Raw

from loopspec_steps import PhraseError
from loopspec_steps.builders.scenario import ScenarioBuilder
from loopspec_steps.phrasebook import Kind

from ..contract.axes import AXIS_TAG, value_of_tag
from ..contract.capabilities import Capability
from ..contract.faults import SuiteError
from ..contract.needs import needed_capabilities, serving_roles
from ..contract.scene import Scene
from .cases import Rule, Step
from .store import StoredCase, StoredCheck, StoredFeature, text_digest

BASES = ("documented", "derived", "clarified")
_KINDS: dict[str, Kind] = {"Context": "given", "Action": "when", "Outcome": "then"}


def compile_features(texts: Mapping[str, bytes]) -> dict[str, StoredFeature]:
    """Compile feature files by path. Raises `SuiteError` for an invalid one."""
    enabled = gc.isenabled()
    gc.disable()  # collecting would take a third of the time and free nothing
    try:
        return {file: compile_feature(file, text) for file, text in texts.items()}
    finally:
        if enabled:
            gc.enable()


def compile_feature(file: str, text: bytes) -> StoredFeature:
    """Compile one feature file. Raises `SuiteError` for an invalid one, and the errors of gherkin's parser."""
    document: Any = Parser().parse(text.decode())  # Any: gherkin's JSON-like tree, here and below
    document["uri"] = file
    feature = document["feature"]
    rules: list[Rule] = []
    origins = dict(_origins(feature, file, rules))
    lines = _step_lines(feature)
    phrases: dict[str, int] = {}
    cases: dict[str, StoredCase] = {}
    for pickle in Compiler().compile(document):
        case = _case(pickle, origins[pickle["astNodeIds"][0]], lines, file, phrases)
        if case.title in cases:
            raise SuiteError(f"{file}:{case.line}: a second scenario {case.title!r}; pytest-bdd would lose one")
        cases[case.title] = case
    return StoredFeature(text_digest(text), tuple(phrases), tuple(rules), tuple(cases.values()))


@dataclass(frozen=True)
class _Origin:
    """The place of a scenario. `rule` is the index of its rule, and `rows` has the cells of each row by column."""

    rule: int
    scenario: Any
    rows: dict[str, dict[str, str]]


def _origins(feature: Any, file: str, rules: list[Rule]) -> Iterator[tuple[str, _Origin]]:
    for child in feature["children"]:
        if "scenario" in child:
            where = f"{file}:{child['scenario']['location']['line']}"
            raise SuiteError(f"{where}: the scenario {child['scenario']['name']!r} belongs to no Rule")
        if "rule" in child:
            rules.append(_rule(child["rule"], feature["name"], file))
            for scenario in (inner["scenario"] for inner in child["rule"]["children"] if "scenario" in inner):
                yield scenario["id"], _Origin(len(rules) - 1, scenario, _rows(scenario))


def _step_lines(feature: Any) -> dict[str, int]:
    """The line of each step, those of backgrounds included."""
    nodes = [feature, *(child["rule"] for child in feature["children"] if "rule" in child)]
    children = [each for node in nodes for child in node["children"] for each in child.values()]
    return {step["id"]: step["location"]["line"] for each in children for step in each.get("steps", ())}


def _rows(scenario: Any) -> dict[str, dict[str, str]]:
    return {
        row["id"]: {
            head["value"]: cell["value"]
            for head, cell in zip(examples["tableHeader"]["cells"], row["cells"], strict=True)
        }
        for examples in scenario["examples"]
        for row in examples["tableBody"]
    }


def _rule(node: Any, feature: str, file: str) -> Rule:
    tags = [tag["name"].lstrip("@") for tag in node["tags"]]
    bases = [tag for tag in tags if tag in BASES]
    ids = tuple(tag for tag in tags if tag not in BASES and not tag.startswith(AXIS_TAG))
    line = node["location"]["line"]
    if len(bases) != 1 or not ids:
        raise SuiteError(
            f"{file}:{line}: the rule {node['name']!r} needs the tag of its id and one of {', '.join(BASES)}"
        )
    return Rule(ids, bases[0], node["name"], feature, file, line)


def _case(pickle: Any, origin: _Origin, lines: Mapping[str, int], file: str, phrases: dict[str, int]) -> StoredCase:
    builder = ScenarioBuilder()
    steps: list[Step] = []
    checks: list[StoredCheck] = []
    needs = set[Capability]()
    for node in pickle["steps"]:
        line = lines[node["astNodeIds"][0]]
        kind, text = _KINDS[node["type"]], node["text"]
        steps.append(Step(kind, text, line))
        try:
            check = builder.take(kind, text, *_below(node))
        except PhraseError as error:
            raise SuiteError(f"{file}:{line}: {error}") from error
        if check:
            phrase = phrases.setdefault(check.phrase.id, len(phrases))
            needs |= check.needs
            checks.append(StoredCheck(len(steps) - 1, phrase, dict(check.arguments)))
    if not checks:
        raise SuiteError(f"{file}: the scenario {pickle['name']!r} has no Then")
    scene = builder.scene
    row = origin.rows[pickle["astNodeIds"][1]] if pickle["astNodeIds"][1:] else {}
    line = origin.scenario["location"]["line"]
    return StoredCase(
        rule=origin.rule,
        title=pickle["name"].replace("\n", "\\n"),  # a cell may contain a line break, and an id is one line
        template=origin.scenario["name"],
        row=tuple(row.values()),
        line=line,
        steps=tuple(steps),
        roles=serving_roles(scene),
        needs=needed_capabilities(scene).union(needs),
        scene=_kept(scene, Scene, f"{file}:{line}"),
        checks=_kept(tuple(checks), tuple[StoredCheck, ...], f"{file}:{line}"),
        postures=_postures(pickle, row, f"{file}:{line}"),
    )


def _postures(pickle: Any, row: Mapping[str, str], where: str) -> dict[str, str]:
    """The values by axis of the tags, those of the rule included. Raises `SuiteError` for an unknown one.

    The value in a tag may be a column of the outline: each row is then an example of its own value, and a row with an
    empty cell presupposes no value.
    """
    tags = []
    for tag in (tag["name"].removeprefix("@") for tag in pickle["tags"]):
        said = tag
        for column, cell in row.items():
            said = said.replace(f"<{column}>", cell)
        if said == tag or not said.endswith("="):
            tags.append(said)
    try:
        return dict(value_of_tag(tag) for tag in tags if tag.startswith(AXIS_TAG))
    except LookupError as error:
        raise SuiteError(f"{where}: {error.args[0]}") from None


def _below(node: Any) -> tuple[list[list[str]] | None, str | None]:
    """The table and the doc string of a step."""
    argument = node.get("argument") or {}
    table = argument.get("dataTable")
    rows = None if table is None else [[cell["value"] for cell in row["cells"]] for row in table["rows"]]
    return rows, argument["docString"]["content"] if "docString" in argument else None


def _kept(value: object, kind: Any, where: str) -> Raw:  # Any: a type, as msgspec takes them
    """A value as JSON. Raises `SuiteError` for a value that JSON changes."""
    text = msgspec.json.encode(value)
    if msgspec.json.decode(text, type=kind) != value:
        raise SuiteError(f"{where}: the scenario has values that JSON cannot hold")
    return Raw(text)
