"""What an author of an adapter or of a test class imports: the definitions with their docstrings, from the source."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from importlib.util import resolve_name
from types import ModuleType

from .markdown import Page, rendered

_LONG = 120  # characters of an alias that is shown completely
_Function = ast.FunctionDef | ast.AsyncFunctionDef

ROOMS = {
    "loopspec_adapting": ("The toolkit", "An agent adapter is a subclass of `AgentAdapter`."),
    "loopspec.testing": ("Test classes", "The classes for your own test module. They need `loopspec[pytest]`."),
    "loopspec": ("Values, errors and protocols", "What every adapter in Python can import."),
    "loopspec.contract.agents": ("The agent of a scene", "`spec` of `Parts` and of the doubles is made of these."),
}


def pages() -> Iterator[Page]:
    """Make the page."""
    definitions = {room: {name: _shown(node) for name, node in public(room).items()} for room in ROOMS}
    yield rendered("api", rooms=ROOMS, definitions=definitions)


def _shown(node: ast.stmt) -> str:
    """A definition; of a long alias, only the name."""
    text = ast.unparse(_outline(node))
    return text if len(text) <= _LONG or not isinstance(node, ast.Assign) else text.partition(" = ")[0]


def public(room: str) -> dict[str, ast.stmt]:
    """The public names of a module in alphabetical order, with their definitions: those in `__all__`, if it has one."""
    module = importlib.import_module(room)
    listed = getattr(module, "__all__", ())
    found = {name: node for name, node in _defined(module) if name in listed or (not listed and name[0] != "_")}
    for node in ast.parse(inspect.getsource(module)).body if listed else ():
        if isinstance(node, ast.ImportFrom) and node.level:
            home = resolve_name("." * node.level + (node.module or ""), module.__package__)
            wanted = {alias.name for alias in node.names} & {*listed}
            found |= {name: one for name, one in _defined(importlib.import_module(home)) if name in wanted}
    return dict(sorted(found.items()))


def _defined(module: ModuleType) -> Iterator[tuple[str, ast.stmt]]:
    """What a module defines: classes, functions, constants and aliases."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef | _Function):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, node) for target in targets if isinstance(target, ast.Name))


def _outline(node: ast.stmt) -> ast.stmt:
    """A definition without private parts, hooks of pytest, and the bodies of functions."""
    if isinstance(node, _Function):
        node.body = node.body[:1] if ast.get_docstring(node) else [ast.Expr(ast.Constant(...))]
    elif isinstance(node, ast.ClassDef):
        node.body = [_outline(one) for one in node.body if _is_public(one)]
    return node


def _is_public(node: ast.stmt) -> bool:
    if isinstance(node, _Function):
        return node.name == "__init__" or not node.name.startswith(("_", "pytest_"))
    return not ast.unparse(node).startswith("_")
