"""Allowed imports: the packages of the kit follow the path of a scenario, in one direction."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]

PACKAGES = {
    "loopspec_reference": ROOT / "reference/loopspec_reference",
    "loopspec_steps": ROOT / "steps/loopspec_steps",
    "loopspec": ROOT / "conformance/loopspec",
    "loopspec_pytest": ROOT / "conformance/loopspec_pytest",
    "loopspec_reference_adapter": ROOT / "conformance/adapters/reference/loopspec_reference_adapter",
    "loopspec_check": ROOT / "conformance/check/loopspec_check",
    "loopspec_lab": ROOT / "conformance/lab/loopspec_lab",
    "loopspec_known": ROOT / "conformance/known/loopspec_known",
    "loopspec_adapting": ROOT / "conformance/kits/python/loopspec_adapting",
    "loopspec_instructions": ROOT / "conformance/instructions/loopspec_instructions",
    "loopspec_docs": ROOT / "docs/loopspec_docs",
    "loopspec_mutants": ROOT / "tests/mutants/loopspec_mutants",
}

# What a user could remove: the kit runs without.
PRODUCTS = {
    "loopspec_adapting",
    "loopspec_check",
    "loopspec_docs",
    "loopspec_instructions",
    "loopspec_known",
    "loopspec_lab",
    "loopspec_mutants",
}

# The packages of the kit, each with the packages that it may import: those that a scenario passes before.
ROOMS: dict[str, set[str]] = {
    "contract": set(),
    "specification": {"contract"},
    "stage": {"contract"},
    "protocol": {"contract"},
    "targets": {"contract", "protocol"},
    "serving": {"contract", "stage", "protocol", "targets"},
    "engine": {"contract", "specification", "stage", "targets"},
    "reports": {"contract", "specification", "targets", "engine"},
    "pages": {"contract", "specification", "engine", "reports"},
    "pytest_plugin": {"contract", "specification", "targets", "engine", "reports"},
    "cli": {"contract", "specification", "protocol", "targets", "serving", "engine", "reports"},
}
# What else stands at the root of the kit: what people import, what people read, and nothing loose.
AT_THE_ROOT = {"__init__", "__main__", "guide", "py.typed", "suite", "testing"}

# The libraries that a module may import, and our packages other than its own: the longest prefix of the module applies.
LIBRARIES: dict[str, set[str]] = {
    "loopspec_reference": {"asyncio"},
    "loopspec_instructions": {"loopspec", "loopspec_reference"},
    "loopspec_instructions.show_command": {"loopspec", "loopspec_reference", "asyncio"},
    "loopspec_instructions.reader": {"loopspec_reference", "markdown_it"},
    "loopspec_steps": {"loopspec", "parse"},
    "loopspec.specification": {"loopspec_steps", "gherkin"},
    "loopspec_adapting": {"loopspec", "asyncio"},
    "loopspec.serving": {"asyncio"},
    "loopspec.targets.drivers": {"asyncio"},
    "loopspec.targets.stores": {"asyncio"},
    "loopspec_reference_adapter": {"loopspec", "loopspec_reference", "asyncio"},
    "loopspec.reports": {"gherkin", "rich", "loopspec_steps"},
    "loopspec.pages": {"gherkin", "jinja2"},
    "loopspec.pytest_plugin": {"pytest", "pytest_bdd", "loopspec_pytest"},
    "loopspec.cli": {"rich", "loopspec_steps"},
    "loopspec": set(),
    "loopspec_pytest": {"loopspec", "pytest"},
    "loopspec_check": {"loopspec"},
    "loopspec_lab": {"loopspec", "loopspec_steps"},
    "loopspec_lab.fuzzing": {"hypothesis", "loopspec", "loopspec_steps"},
    "loopspec_known": {"loopspec"},
    "loopspec_docs": {"jinja2", "loopspec", "loopspec_instructions", "loopspec_known", "loopspec_steps"},
    "loopspec_mutants": {
        "loopspec",
        "loopspec_reference_adapter",
        "loopspec_instructions",
        "loopspec_lab",
        "loopspec_reference",
    },
}
KNOWN = {*PACKAGES, *"pytest pytest_bdd gherkin jinja2 markdown_it rich parse asyncio hypothesis".split()}
KNOWN |= {"tests", "tools"}  # no product imports them


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if "templates" not in parts:
                yield ".".join([package, *(part for part in parts if part != "__init__")]), path


MODULES = dict(modules())


def imports_of(name: str, nodes: Iterable[ast.AST]) -> set[str]:
    """The modules that nodes of a module import, by their full names."""
    base = name.split(".") if MODULES[name].name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = base[: len(base) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            named = {f"{module}.{alias.name}" for alias in node.names}
            found |= {each for each in named if each in MODULES} | ({module} if named - MODULES.keys() else set())
    return found


class Imports(NamedTuple):
    """The imports of a module: those at load time, and all, also in functions and under `TYPE_CHECKING`."""

    at_load: set[str]
    all: set[str]


@pytest.fixture(scope="module")
def read() -> dict[str, Imports]:
    """The imports of each module. The trees are not kept: they are most of the memory of a test run."""
    return {name: _read(name, path) for name, path in MODULES.items()}


def _read(name: str, path: Path) -> Imports:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return Imports(imports_of(name, tree.body), imports_of(name, ast.walk(tree)))


@pytest.fixture
def imports(read: dict[str, Imports]) -> dict[str, set[str]]:
    """All imports of each module."""
    return {name: one.all for name, one in read.items()}


def _is_within(module: str, prefix: str) -> bool:
    return module == prefix or module.startswith(prefix + ".")


def _room(module: str) -> str:
    """The package of the kit that contains a module; empty at the root of the kit."""
    return module.split(".")[1] if module.startswith("loopspec.") else ""


def test_a_room_imports_only_rooms_before_it(imports: dict[str, set[str]]) -> None:
    """The modules at the root may import everything, and only `__main__` imports them."""
    wrong = {
        f"{name} imports {imported}"
        for name, found in imports.items()
        if _room(name) in ROOMS
        for imported in found
        if _room(imported) not in {_room(name), *ROOMS[_room(name)], ""}
    }

    assert wrong == set()


def test_the_rooms_have_an_order(imports: dict[str, set[str]]) -> None:
    """No two packages import each other, directly or indirectly."""
    actual = {room: {_room(i) for n in imports if _room(n) == room for i in imports[n]} - {room, ""} for room in ROOMS}

    try:
        order = list(TopologicalSorter(actual).static_order())
    except CycleError as error:
        pytest.fail(f"these rooms import each other: {' → '.join(error.args[1])}")
    assert set(order) >= set(ROOMS)


def test_modules_have_no_import_cycle(read: dict[str, Imports]) -> None:
    """The imports at load time have an order in every package."""
    graph = {
        name: {imported for imported in one.at_load if imported in MODULES and imported != name}
        for name, one in read.items()
    }

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these modules import each other: {' → '.join(error.args[1])}")


def test_the_root_of_the_kit_has_no_other_modules() -> None:
    """The root has packages, and the few modules that users import."""
    entries = {path.name.removesuffix(".py") for path in PACKAGES["loopspec"].iterdir()} - {
        "__pycache__",
        "compiled.json",
    }

    assert entries == {*ROOMS, *AT_THE_ROOT}


def test_a_library_is_imported_only_where_it_is_allowed(imports: dict[str, set[str]]) -> None:
    """Only some packages use pytest, HTML, Gherkin, the terminal, an event loop or generated data."""
    wrong = {
        f"{name} imports {imported}"
        for name, found in imports.items()
        for imported in found
        if (top := imported.partition(".")[0]) in KNOWN and top != name.partition(".")[0] and top not in _allowed(name)
    }

    assert wrong == set()


def _allowed(name: str) -> set[str]:
    return LIBRARIES[max((prefix for prefix in LIBRARIES if _is_within(name, prefix)), key=len)]


def test_the_kit_imports_no_product(imports: dict[str, set[str]]) -> None:
    """A product registers entry points, and the kit calls what is registered."""
    core = ("loopspec", "loopspec_pytest", "loopspec_steps", "loopspec_reference")
    wrong = {
        f"{name} imports {imported}"
        for name, found in imports.items()
        if name.partition(".")[0] in core
        for imported in found
        if imported.partition(".")[0] in PRODUCTS
    }

    assert wrong == set()


def test_steps_import_only_the_contract_of_the_kit(imports: dict[str, set[str]]) -> None:
    """Phrases use Scenes and Observations, and nothing that judges them."""
    kit = {i for name, found in imports.items() if _is_within(name, "loopspec_steps") for i in found if _room(i)}

    assert {imported for imported in kit if _room(imported) != "contract"} == set()


def test_the_tables_have_no_unused_lines(imports: dict[str, set[str]]) -> None:
    """Every line is about an existing package or module, and every permission is used."""
    assert {prefix for prefix in LIBRARIES if not any(_is_within(name, prefix) for name in MODULES)} == set()
    for prefix, libraries in LIBRARIES.items():
        of_prefix = {i.partition(".")[0] for n, found in imports.items() if _is_within(n, prefix) for i in found}
        assert libraries - of_prefix == set(), prefix
    for room, before in ROOMS.items():
        used = {_room(i) for name, found in imports.items() if _room(name) == room for i in found}
        assert before - used == set(), room
