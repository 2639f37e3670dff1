"""The programs of `examples/` for the site: their texts, what they print, and the rules that they show."""

from __future__ import annotations

import ast
import re
from functools import cache

from msgspec import Struct

from loopspec.contract.specification import examples_root

# The rules that each program shows.
SHOWN: dict[str, tuple[str, ...]] = {
    "loop": ("LOOP-01", "LOOP-02", "LOOP-03", "EVENT-01"),
    "tool": ("CFG-03", "LOOP-15", "LOOP-21", "LOOP-28"),
    "handler": ("HOOK-BM-02", "HOOK-BM-03", "STATE-01", "HOOK-WT-06"),
    "interrupt": ("INTERRUPT-01", "INTERRUPT-02", "INTERRUPT-03", "INTERRUPT-06"),
    "stop": ("STOP-01", "STOP-03", "STOP-04", "STOP-06"),
    "approve": ("STOP-08", "STOP-10", "STOP-11", "STOP-14"),
    "crash": ("INTERRUPT-05", "INTERRUPT-09", "INTERRUPT-15"),
    "agentsmd": ("AMD-INJECT-01", "AMD-INJECT-14", "AMD-FORMAT-01", "AMD-CYCLE-01", "AMD-ERROR-02"),
    "openai_compatible": ("LOOP-20", "EVENT-02", "EVENT-20", "CFG-03"),
}
_SECTION = re.compile(
    r"^## \d+\. ([^\n]+)\n\n\[\w+\.py\]\((\w+)\.py\): (.+?)\n\n```console\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


class Module(Struct, frozen=True):
    """A file of the examples that a program imports."""

    name: str
    source: str


class Program(Struct, frozen=True):
    """An example: its text on the page of the examples, its commands with their output, and its source."""

    name: str
    title: str
    text: str
    session: str
    source: str
    rules: tuple[str, ...]
    imports: tuple[Module, ...]

    @property
    def address(self) -> str:
        """The address of its page in the site."""
        return f"examples/{self.name}.html"


@cache
def programs() -> tuple[Program, ...]:
    """Read every example, in reading order."""
    page = (examples_root() / "README.md").read_text(encoding="utf-8")
    return tuple(_program(*found) for found in _SECTION.findall(page))


def _program(title: str, name: str, text: str, session: str) -> Program:
    source = _source(name)
    return Program(
        name=name,
        title=title,
        text=_sentence(text),
        session=session,
        source=source,
        rules=SHOWN[name],
        imports=tuple(Module(other, _source(other)) for other in _imported(source)),
    )


def _source(name: str) -> str:
    return (examples_root() / f"{name}.py").read_text(encoding="utf-8")


def _sentence(text: str) -> str:
    """The text on one line, with a capital letter."""
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]


def _imported(source: str) -> list[str]:
    """The names of the other files of the examples that a source imports."""
    modules = [node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return sorted(name for name in modules if (examples_root() / f"{name}.py").is_file())
