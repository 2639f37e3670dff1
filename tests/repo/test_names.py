"""features/names.toml: every concept has a name in each framework, with a link, and the names exist."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn
from urllib.parse import urlsplit

import pytest

from loopspec.specification.cases import area_of
from loopspec.specification.ledger import cases_by_rule, ledger
from loopspec.specification.names import NO_NAME, Concept, Name, Names, names, names_of_area

# The documents whose areas need a concept: those about agents and plugins.
DOCUMENTS = {"agent", "middleware", "plugins"}
# The hosts of sources and documentation that the file may link to; package registries are excluded.
LINKED = {"github.com"}
# The modules of the Python distributions in the file.
MODULES = {
    "langchain": "langchain",
    "langchain-core": "langchain_core",
    "langgraph": "langgraph",
    "langgraph-checkpoint": "langgraph.checkpoint",
    "deepagents": "deepagents",
    "pydantic-ai-slim": "pydantic_ai",
    "openai-agents": "agents",
    "google-adk": "google.adk",
    "agent-framework-core": "agent_framework",
    "strands-agents": "strands",
    "haystack-ai": "haystack",
    "llama-index-core": "llama_index.core",
    "llama-index-workflows": "workflows",
}


def every_name() -> Iterator[tuple[str, str, Name]]:
    """Each name with its concept and its framework."""
    for concept, row in names().concepts.items():
        for framework, name in row.names.items():
            yield concept, framework, name


def distribution_of(path: str) -> str:
    """The Python distribution of an imported module."""
    module = path.partition(":")[0] + "."
    found = [package for package, root in MODULES.items() if module.startswith(root + ".")]
    return max(found, key=lambda package: len(MODULES[package]))


def find(path: str) -> None:
    """Import the object of "module:qualified.name". Raises `AttributeError` or `LookupError` for a missing one."""
    module, _, qualified = path.partition(":")
    *owners, last = qualified.split(".")
    found: object = importlib.import_module(module)
    for owner in owners:
        found = getattr(found, owner)
    if hasattr(found, last) or any(last in inspect.get_annotations(base) for base in getattr(found, "__mro__", ())):
        return
    if not callable(found) or last not in inspect.signature(found).parameters:
        raise LookupError(f"{path}: neither a field nor a parameter")


def test_every_concept_has_a_row_for_each_of_ten_frameworks() -> None:
    """In one order."""
    assert len(names().frameworks) == 10
    assert {tuple(row.names) for row in names().concepts.values()} == {tuple(names().frameworks)}


def test_every_framework_has_the_version_of_its_names_and_every_name_a_link() -> None:
    """Each distribution has a released version. Each link is an https URL on one of the known hosts."""
    for framework in names().frameworks.values():
        for released in (framework.version, *framework.also.values()):
            assert re.fullmatch(r"\d+\.\d+\.\d+", released), framework
    for concept, key, name in every_name():
        link = urlsplit(name.link)
        assert (link.scheme, bool(link.path.strip("/"))) == ("https", True), (concept, key, name)
        assert link.hostname in LINKED, (concept, key, name)
        assert "/blob/main/" not in link.path, (concept, key, name)  # a branch moves: a link leads to a tag or a commit


def test_names_are_not_empty() -> None:
    """Names, sentences and areas are not empty and have no surrounding white space."""
    for key, row in names().concepts.items():
        texts = [row.name, row.says, *row.areas, *(name.name for name in row.names.values())]
        assert all(text and text == text.strip() for text in texts), key
        assert row.says.endswith("."), key
        assert row.areas, key


def test_every_concept_has_a_name_in_a_framework() -> None:
    """A concept without a name in any framework does not help to find its rules."""
    nameless = [key for key, row in names().concepts.items() if {name.name for name in row.names.values()} == {NO_NAME}]

    assert nameless == []


def test_every_python_name_has_an_import_path_of_a_distribution_with_a_version() -> None:
    """The distribution is the framework's own or an additional one. A missing name has no note."""
    for concept, framework, name in every_name():
        known = names().frameworks[framework]
        assert bool(name.path) == (bool(known.package) and name.name != NO_NAME), (concept, framework)
        assert not (name.note and name.name == NO_NAME), (concept, framework)
        assert not name.path or distribution_of(name.path) in {known.package, *known.also}, (concept, framework)


@pytest.mark.parametrize("package", MODULES)
def test_the_names_exist(package: str, do_without: Callable[[str, str], NoReturn]) -> None:
    """Each name exists in the installed distribution."""
    try:
        version(package)
    except PackageNotFoundError:
        do_without(package, f"{package} is not installed: its names are not looked up")
    paths = {name.path for _, _, name in every_name() if name.path and distribution_of(name.path) == package}

    missing = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of the distributions at import
        for path in sorted(paths):
            try:
                find(path)
            except (ImportError, AttributeError, LookupError, ValueError) as error:
                missing.append(f"{path}: {error}")
    assert paths
    assert missing == []


@pytest.mark.parametrize("path", ["msgspec:Struct", "loopspec.specification.names:Concept.says", "re:compile.flags"])
def test_a_class_a_field_and_a_parameter_are_found(path: str) -> None:
    """The file has these three kinds of names."""
    find(path)


@pytest.mark.parametrize("path", ["msgspec:Strukt", "loopspec.specification.names:Concept.missing", "re:compile.flag"])
def test_a_missing_name_is_not_found(path: str) -> None:
    """A name that a framework removes fails the test."""
    with pytest.raises((AttributeError, LookupError)):
        find(path)


def test_every_area_has_a_concept_or_a_reason() -> None:
    """Each area of rules with scenarios about agents and plugins has either a concept or a reason."""
    areas = {area_of(rule) for rule in ledger().rules}
    ours = {area_of(rule) for rule in cases_by_rule() if ledger().rules[rule].document in DOCUMENTS}
    named = {area for row in names().concepts.values() for area in row.areas}

    assert named | set(names().unnamed) <= areas
    assert ours - named - set(names().unnamed) == set()
    assert named & set(names().unnamed) == set()
    assert all(reason.endswith(".") for reason in names().unnamed.values())


def test_reading_one_area_equals_reading_the_whole_file() -> None:
    """The result is the same for every area of the ledger."""
    for area in {area_of(rule) for rule in ledger().rules}:
        wanted: dict[str, Concept] = {key: row for key, row in names().concepts.items() if area in row.areas}
        assert names_of_area(area) == Names(1, names().frameworks, wanted), area
