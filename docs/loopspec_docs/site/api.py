"""What an author of an adapter or of a test class imports: signatures and docstrings, read from the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from textwrap import dedent

from markupsafe import Markup
from msgspec import Struct

from loopspec.pages.theme import coded

from .links import slug

_COMMENT = re.compile(r"# (.*)")
_LONG = 120  # characters of an alias that is shown completely
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Member(Struct, frozen=True):
    """A method or a property: its first lines as they are written, and the docstring by paragraphs."""

    name: str
    signature: str
    says: tuple[Markup, ...]


class Public(Struct, frozen=True):
    """A public name. `signature` is its definition without docstrings, methods and private parts."""

    name: str
    module: str
    signature: str
    says: tuple[Markup, ...]
    members: tuple[Member, ...]

    @property
    def address(self) -> str:
        """Its address in the site."""
        return f"api.html#{slug(f'{self.module} {self.name}')}"

    @property
    def summary(self) -> str:
        """The first sentence about it, as plain text."""
        return str(self.says[0].striptags()).partition(". ")[0].rstrip(".") + "." if self.says else ""


class Room(Struct, frozen=True):
    """A module that others import from, what it is for, and its public names."""

    name: str
    title: str
    says: str
    names: tuple[Public, ...]


_ROOMS = (
    ("loopspec_adapting", "The toolkit", "An agent adapter is a subclass of `AgentAdapter`."),
    ("loopspec.testing", "Test classes", "The classes for your own test module. They need `loopspec[pytest]`."),
    ("loopspec", "Values, errors and protocols", "What every adapter in Python can import."),
    ("loopspec.contract.agents", "The agent of a scene", "`spec` of `Parts` and of the doubles is made of these."),
)


@cache
def api() -> tuple[Room, ...]:
    """The modules in the order of the page."""
    return tuple(Room(name, title, says, tuple(_public(name))) for name, title, says in _ROOMS)


def _public(room: str) -> Iterator[Public]:
    """The public names of a module in alphabetical order: those in its `__all__`, or those that it defines."""
    own = room.split(".")
    tree = ast.parse(_file(own).read_text(encoding="utf-8"))
    listed = {name for node in tree.body if isinstance(node, ast.Assign) for name in _listed(node)}
    places = _imported(tree, own) if listed else dict.fromkeys(_defined(tree), own)
    for name in sorted(listed or (name for name in places if name[0] != "_")):
        if name in places:
            yield _described(room, name, places[name])


def _file(parts: list[str]) -> Traversable:
    """The file of a module."""
    package = resources.files(parts[0])
    folder = package.joinpath(*parts[1:])
    return folder / "__init__.py" if folder.is_dir() else package.joinpath(*parts[1:-1], f"{parts[-1]}.py")


def _listed(node: ast.Assign) -> list[str]:
    """The names in `__all__`."""
    is_all = any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    return list(ast.literal_eval(node.value)) if is_all else []


def _imported(tree: ast.Module, own: list[str]) -> dict[str, list[str]]:
    """The modules of the kit that the names come from."""
    base = own if _file(own).name == "__init__.py" else own[:-1]
    return {
        alias.name: [*base, *(node.module or "").split(".")]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }


def _defined(tree: ast.Module) -> dict[str, ast.stmt]:
    """What a module defines: classes, functions, constants and aliases."""
    found: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | _Function):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    return found


def _described(room: str, name: str, parts: list[str]) -> Public:
    source = _file(parts).read_text(encoding="utf-8")
    lines, node = source.splitlines(), _defined(ast.parse(source))[name]
    if isinstance(node, ast.ClassDef):
        return Public(name, room, _class(node, lines), _says(node), tuple(_members(node, lines)))
    if isinstance(node, _Function):
        return Public(name, room, _head(node, lines), _says(node), ())
    above = _COMMENT.match(lines[node.lineno - 2])
    says = (coded(f"{above[1].rstrip('.')}."),) if above else ()
    whole = ast.unparse(node)
    return Public(name, room, whole if len(whole) <= _LONG else whole.partition(" = ")[0], says, ())


def _class(node: ast.ClassDef, lines: list[str]) -> str:
    """The head of a class, with its public attributes and the arguments of its constructor."""
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    inside = [
        _head(one, lines) if isinstance(one, _Function) else ast.unparse(one)
        for one in node.body
        if (isinstance(one, ast.FunctionDef) and one.name == "__init__")
        or (isinstance(one, ast.Assign | ast.AnnAssign) and ast.unparse(one)[0] != "_")
    ]
    return "\n".join([f"class {node.name}({bases}):" if bases else f"class {node.name}:", *_indented(inside)])


def _indented(texts: list[str]) -> Iterator[str]:
    """The lines of texts, inside a class."""
    return (f"    {line}" for text in texts for line in text.splitlines())


def _members(node: ast.ClassDef, lines: list[str]) -> Iterator[Member]:
    """The public methods and properties, without the hooks of pytest."""
    for one in node.body:
        if isinstance(one, _Function) and not one.name.startswith(("_", "pytest_")) and ast.get_docstring(one):
            yield Member(one.name, _head(one, lines), _says(one))


def _head(node: _Function, lines: list[str]) -> str:
    """The first lines of a function as they are written, with its decorators."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return dedent("\n".join(lines[first - 1 : node.body[0].lineno - 1])).strip()


def _says(node: ast.ClassDef | _Function) -> tuple[Markup, ...]:
    """The docstring by paragraphs."""
    text = ast.get_docstring(node) or ""
    return tuple(coded(" ".join(paragraph.split())) for paragraph in text.split("\n\n") if paragraph)
