"""The contract as others see it: its schemas, and what the package exports."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path

import loopspec
import loopspec_reference_adapter

# The module of `loopspec show --as`, which reads the files of dialects. No adapter needs their classes.
_NO_ADAPTER = {"as_read.py"}


def test_the_package_exports_the_classes_that_an_adapter_uses() -> None:
    """The package exports the contract classes that the reference adapter imports, except those of a scene's agent."""
    modules = set(Path(loopspec_reference_adapter.__file__).parent.glob("*.py"))
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
