"""The public names of each package exist and are few."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

PACKAGES = [
    "loopspec",
    "loopspec_reference",
    "loopspec_reference.agentsmd",
    "loopspec_instructions.reader",
    "loopspec_reference.plugins",
    "loopspec_steps",
    "loopspec_adapting",
    "loopspec_docs.site",
    "loopspec.stage",
    "loopspec_reference_adapter",
    "loopspec_mutants",
]
# An agent loop has many nouns, and an author of an agent or of an adapter needs all of them.
LARGER = {"loopspec_reference": 92, "loopspec": 61}


@pytest.mark.parametrize("name", PACKAGES)
def test_all_names_are_public_and_exist(name: str) -> None:
    """`__all__` has the names that the package's `__init__` imports or defines, without modules and private names."""
    package = importlib.import_module(name)
    tree = ast.parse(Path(package.__file__ or "").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.level and node.module
        for alias in node.names
    }
    defined = {
        node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert sorted(package.__all__) == sorted(set(package.__all__))
    assert {offered for offered in package.__all__ if not hasattr(package, offered)} == set()
    if name == "loopspec":  # its `__all__` alone has the names
        return
    assert set(package.__all__) <= imported | defined
    if name != "loopspec_reference_adapter":  # an adapter imports its parts from there
        assert set(package.__all__) == {offered for offered in imported | defined if not offered.startswith("_")}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_surface_fits_one_screen(name: str) -> None:
    """A package has at most fifty public names, or is listed as an exception."""
    assert len(importlib.import_module(name).__all__) <= LARGER.get(name, 50)
