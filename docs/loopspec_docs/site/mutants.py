"""The mutants for the site: the bug of each, the rule that it breaks, and its source."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import ModuleType
from typing import Any

from msgspec import Struct

from loopspec.contract.specification import mutants
from loopspec.specification.cases import area_of

from .links import mutant_address


class Bug(Struct, frozen=True):
    """A mutant. `neighbors` are the rules that fail with its own, each with the reason."""

    name: str
    rule: str
    sentence: str
    neighbors: dict[str, str]
    module: str
    source: str

    @property
    def area(self) -> str:
        """The area of its rule."""
        return area_of(self.rule)

    @property
    def address(self) -> str:
        """Its address in the site."""
        return mutant_address(self.name, self.rule)


@cache
def bugs() -> dict[str, Bug]:
    """Every mutant by its name: none in an installed wheel."""
    kit = mutants()
    return {
        mutant.name: Bug(
            name=mutant.name,
            rule=mutant.rule,
            sentence=mutant.sentence,
            neighbors=dict(mutant.neighbors),
            module=", ".join(_files(mutant.bug)),
            source=_shown(mutant.bug),
        )
        for mutant in (kit.MUTANTS.values() if kit else ())
    }


# Any: a rewriting, or a function that patches. The types are those of `loopspec_mutants`, which imports the kit.
def _files(bug: Any) -> Iterable[str]:
    """The files that a mutant changes, or the module of a mutant in Python."""
    return bug.files if hasattr(bug, "changes") else (_function(bug).__module__,)


def _shown(bug: Any) -> str:
    """The changes of a mutant, or the source of a mutant in Python."""
    return "\n\n".join(map(_difference, bug.changes)) if hasattr(bug, "changes") else _source(_function(bug))


def _difference(change: Any) -> str:
    """The removed lines of a change, and the added ones."""
    lines = [("- ", line) for line in change.old.split("\n")] + [("+ ", line) for line in change.new.split("\n")]
    return "\n".join(sign + line for sign, line in lines)


def _function(bug: Callable[..., object]) -> Callable[..., object]:
    """The function that makes a bug: generated mutants share one function with different arguments."""
    function: Callable[..., object] = inspect.unwrap(bug.func if isinstance(bug, partial) else bug)
    return function


def _source(function: Callable[..., object]) -> str:
    """A function of a module, after everything else in the module that it uses."""
    name, module = function.__name__, importlib.import_module(function.__module__)
    parts, wanted, waiting = _parts(module), {name}, [name]
    while waiting:
        for found in parts[waiting.pop()][1] & parts.keys() - wanted:
            wanted.add(found)
            waiting.append(found)
    return "\n\n\n".join(text for text in dict.fromkeys(text for part, (text, _) in parts.items() if part in wanted))


@cache
def _parts(module: ModuleType) -> dict[str, tuple[str, set[str]]]:
    """What a module defines at its top: the text of each name, and the names in that."""
    text = inspect.getsource(module)
    lines, found = text.splitlines(), {}
    for node in ast.parse(text).body:
        start = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        for name in _names(node):
            found[name] = ("\n".join(lines[start - 1 : node.end_lineno]), used)
    return found


def _names(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


@cache
def bugs_by_rule() -> dict[str, tuple[Bug, ...]]:
    """The mutants against each rule."""
    found: dict[str, list[Bug]] = {}
    for bug in bugs().values():
        found.setdefault(bug.rule, []).append(bug)
    return {rule: tuple(against) for rule, against in found.items()}
