"""Who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PACKAGES = {
    "loopspec_reference": ROOT / "reference/loopspec_reference",
    "loopspec_steps": ROOT / "steps/loopspec_steps",
    "loopspec": ROOT / "conformance/loopspec",
    "loopspec_mutants": ROOT / "tests/mutants/loopspec_mutants",
}

# What a module may import of ours, and which of the libraries that not everything may know. The most telling prefix
# of a module's name decides.
ALLOWED: dict[str, set[str]] = {
    "loopspec_reference": {"loopspec_reference", "asyncio"},
    "loopspec.contract": {"loopspec.contract"},
    "loopspec.stage": {"loopspec.contract", "loopspec.stage"},
    "loopspec.protocol": {"loopspec.contract", "loopspec.protocol"},
    "loopspec.serving": {"loopspec.contract", "loopspec.protocol", "loopspec.serving", "loopspec.targets", "asyncio"},
    "loopspec.targets": {"loopspec.contract", "loopspec.targets"},
    "loopspec.targets.process": {"loopspec.contract", "loopspec.protocol", "loopspec.targets"},
    "loopspec.targets.drivers": {"loopspec.contract", "asyncio"},
    "loopspec.targets.reference": {"loopspec.contract", "loopspec.targets", "loopspec_reference", "asyncio"},
    "loopspec.targets.backends": {"loopspec.contract", "loopspec.targets", "asyncio"},
    "loopspec.targets.middlewares": {"loopspec.contract", "loopspec.targets", "asyncio"},
    "loopspec_steps": {"loopspec.contract", "loopspec_steps", "parse"},
    "loopspec.pytest_plugin.steps": {"loopspec_steps", "pytest_bdd"},
    "loopspec.pytest_plugin.entry": {"loopspec.pytest_plugin.distributed", "loopspec.pytest_plugin.session", "pytest"},
    "loopspec.pages.panels": {"loopspec.contract", "loopspec.pages.panels", "jinja2"},
    "loopspec.pages": {
        "loopspec.contract",
        "loopspec.specification.cases",
        "loopspec.specification.ledger",
        "loopspec.pages",
        "gherkin",
        "jinja2",
    },
    "loopspec.pages.site": {
        "loopspec.engine.baseline",
        "loopspec.specification.cases",
        "loopspec.contract",
        "loopspec.pages.site",
        "loopspec.specification.ledger",
        "loopspec.pages",
        "loopspec_steps",
        "jinja2",
    },
    "loopspec.pages.report": {
        "loopspec.specification.cases",
        "loopspec.contract",
        "loopspec.specification.ledger",
        "loopspec.pages",
        "loopspec.reports",
        "loopspec.engine.run",
        "loopspec.engine.verdict",
        "jinja2",
    },
    "loopspec": {"loopspec", "loopspec_steps", "pytest", "pytest_bdd", "gherkin", "rich"},
    "loopspec_mutants": {"loopspec", "loopspec_mutants", "loopspec_reference", "asyncio"},
}
KNOWN = {*PACKAGES, "pytest", "pytest_bdd", "gherkin", "jinja2", "rich", "parse", "asyncio"}


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if "templates" not in parts:
                yield ".".join([package, *(part for part in parts if part != "__init__")]), path


def imports_of(name: str, path: Path) -> set[str]:
    """The modules that a module imports, in full, `TYPE_CHECKING` ones included."""
    base = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = base[: len(base) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found.add(module)
            if not node.module:
                found |= {f"{module}.{alias.name}" for alias in node.names}
                found.discard(module)
    return found


def _is_within(module: str, prefix: str) -> bool:
    return module == prefix or module.startswith(prefix + ".")


@pytest.mark.parametrize(("name", "path"), [pytest.param(n, p, id=n) for n, p in modules()])
def test_a_module_imports_only_what_its_place_allows(name: str, path: Path) -> None:
    """The layers hold: nothing reaches up, and nothing knows a library that is not its business."""
    rule = max((prefix for prefix in ALLOWED if _is_within(name, prefix)), key=len)
    watched = {module for module in imports_of(name, path) if module.partition(".")[0] in KNOWN}

    forbidden = {module for module in watched if not any(_is_within(module, allowed) for allowed in ALLOWED[rule])}

    assert forbidden == set()


def test_only_the_reference_target_knows_the_reference() -> None:
    """One package of the kit imports the reference, and imports of it from elsewhere stand inside functions."""
    knowing = {
        name for name, path in modules() if any(_is_within(m, "loopspec_reference") for m in imports_of(name, path))
    }

    kit = {name for name in knowing if _is_within(name, "loopspec")}

    assert kit
    assert all(_is_within(name, "loopspec.targets.reference") for name in kit)


def test_the_table_is_not_idle() -> None:
    """Every line of the table stands for a module that exists."""
    names = {name for name, _ in modules()}

    assert {prefix for prefix in ALLOWED if not any(_is_within(name, prefix) for name in names)} == set()
