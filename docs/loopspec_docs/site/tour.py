"""The tour of the reference: its modules in the order in which a run passes them, with their functions and rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from msgspec import Struct

from loopspec.pages import rules

from .route import CHAPTERS, Stop

_ROOT = resources.files("loopspec_reference")
_ID = re.compile(r"\b[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d\d\b")
_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Function(Struct, frozen=True):
    """A function or a class to look at. `said` is the first sentence of its docstring."""

    name: str
    said: str


class Module(Struct, frozen=True):
    """A module of the reference. `said` is the first paragraph of its docstring, `text` is ours."""

    name: str
    said: str
    text: str
    functions: tuple[Function, ...]
    rules: tuple[str, ...]
    source: str

    @property
    def path(self) -> str:
        """The file, relative to the folder of the reference."""
        return f"{self.name.replace('.', '/')}.py"

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return len(self.source.splitlines())


class Part(Struct, frozen=True):
    """A chapter of the tour, with its modules."""

    title: str
    text: str
    modules: tuple[Module, ...]

    @property
    def lines(self) -> int:
        """The number of lines of its modules."""
        return sum(module.lines for module in self.modules)


@cache
def tour() -> tuple[Part, ...]:
    """Read the reference in the order of the tour."""
    return tuple(
        Part(chapter.title, chapter.text, tuple(_module(stop) for stop in chapter.stops)) for chapter in CHAPTERS
    )


def _module(stop: Stop) -> Module:
    source = _ROOT.joinpath(*f"{stop.module.replace('.', '/')}.py".split("/")).read_text(encoding="utf-8")
    tree = ast.parse(source)
    known = rules()
    return Module(
        name=stop.module,
        said=_first(ast.get_docstring(tree) or "", "\n\n"),
        text=stop.text,
        functions=tuple(Function(name, said) for name, said in _functions(tree, stop.look)),
        rules=tuple(sorted({name for name in _ID.findall(source) if name in known})),
        source=source,
    )


def _functions(tree: ast.Module, look: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The functions that a stop names; if it names none, all public ones at the top of the module."""
    found = dict(_documented(tree))
    yield from ((name, found[name]) for name in look or [one for one in found if "." not in one and one[0] != "_"])


def _documented(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Everything in a module that has a docstring, methods by the name of their class."""
    for node in tree.body:
        if isinstance(node, _Defined):
            inner = [one for one in node.body if isinstance(one, _Defined)] if isinstance(node, ast.ClassDef) else []
            for name, one in ((node.name, node), *((f"{node.name}.{each.name}", each) for each in inner)):
                if said := ast.get_docstring(one):
                    yield name, _first(said, "\n\n").partition(". ")[0].rstrip(".") + "."


def _first(text: str, end: str) -> str:
    return " ".join(text.partition(end)[0].split())
