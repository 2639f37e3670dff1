"""Scenes and Observations are plain data."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import loopspec
from loopspec import Observation, Scene
from loopspec.engine.checking import look
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets import reference
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Reference

from ..staging import dialect_for, role_of


@pytest.fixture(scope="module")
def target_in() -> Iterator[Callable[[str], PythonTarget]]:
    """The reference as a target in a dialect."""
    made: dict[str, PythonTarget] = {}

    def in_dialect(name: str) -> PythonTarget:
        if name not in made:
            made[name] = PythonTarget(Reference, "reference", name)
        return made[name]

    yield in_dialect
    for each in made.values():
        each.close()


@pytest.mark.parametrize("case", compiled(), ids=lambda case: case.id)
def test_a_scene_and_what_was_seen_survive_json(case: Case, target_in: Callable[[str], PythonTarget]) -> None:
    """A decoded Scene performs alike, and a decoded Observation gets the same verdict."""
    target = target_in(dialect_for(case))
    role = role_of(case, target)
    scene = msgspec.json.decode(msgspec.json.encode(case.scene), type=Scene)

    seen = perform(target, scene, role)
    again = msgspec.json.decode(msgspec.json.encode(seen), type=Observation)

    assert scene == case.scene
    assert again == seen
    assert look(case, again).verdict == look(case, seen).verdict
    assert look(case, again).verdict == "passed" or case.basis == "declared"  # the reference has no posture


def test_the_schemas_can_be_written_down() -> None:
    """Scene and Observation have a JSON Schema for implementers in other languages."""
    for kind in (Scene, Observation):
        assert msgspec.json.schema(kind)["$ref"] == f"#/$defs/{kind.__name__}"


# The module of `loopspec show --as`, which reads the files of dialects. No adapter needs their classes.
_NO_ADAPTER = {"as_read.py"}


def test_the_package_exports_the_classes_that_an_adapter_uses() -> None:
    """The package exports the contract classes that the reference adapter imports, except those of a scene's agent."""
    modules = set(Path(reference.__file__).parent.glob("*.py"))
    taken = {
        (node.module.rpartition(".")[2], alias.name)
        for path in sorted(modules - {path for path in modules if path.name in _NO_ADAPTER})
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("contract.")
        for alias in node.names
    }
    classes = {
        name
        for module, name in taken
        if module != "agents" and inspect.isclass(getattr(import_module(f"loopspec.contract.{module}"), name))
    }

    assert classes - {"Json", "Section"} <= set(loopspec.__all__)  # Json is any value; a load may return pairs
