"""The programs of `examples/` for the site: their texts, what they print, and the rules that they show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.specification import examples_root
from loopspec.pages.rules import PageRule, rules

from .markdown import Page, rendered

_SECTION = re.compile(
    r"^## \d+\. ([^\n]+)\n\n\[\w+\.py\]\((\w+)\.py\): (.+?)\n\n```console\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


@cache
def _shown() -> dict[str, tuple[str, ...]]:
    """The rules that each program shows."""
    return msgspec.toml.decode(Path(__file__).with_name("examples.toml").read_bytes(), type=dict[str, tuple[str, ...]])


class Program(Struct, frozen=True):
    """An example: its text on the page of the examples, its commands with their output, and its source."""

    title: str
    name: str
    text: str
    session: str

    @property
    def rules(self) -> list[PageRule]:
        """The rules that it shows."""
        return [rules()[name] for name in _shown()[self.name] if name in rules()]

    @property
    def imports(self) -> list[str]:
        """The other files of the examples that it imports."""
        nodes = ast.walk(ast.parse(source_of(self.name)))
        modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        return sorted(name for name in modules if (examples_root() / f"{name}.py").is_file())


def source_of(name: str) -> str:
    """The text of a file of the examples."""
    return (examples_root() / f"{name}.py").read_text(encoding="utf-8")


@cache
def programs() -> tuple[Program, ...]:
    """Read every example, in reading order."""
    readme = (examples_root() / "README.md").read_text(encoding="utf-8")
    return tuple(Program(*found) for found in _SECTION.findall(readme))


def pages() -> Iterator[Page]:
    """Make the list of all examples, and the page of each."""
    yield rendered("examples", programs=programs())
    for one in programs():
        yield rendered(f"examples/{one.name}", "example", one=one, source_of=source_of)
