"""The page of the examples is correct, and the examples are what it promises."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from .endpoint import Endpoint, Response, event
from .programs import EXAMPLES, run

PAGE = (EXAMPLES / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))
LEFT_OUT = "[…]\n"


def _commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with its output."""
    found = re.findall(r"^\$ (python .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert len(found) == block.count("$ python ")
    return found


@pytest.mark.parametrize("block", BLOCKS, ids=[re.findall(r"examples/(\w+)", block)[0] for block in BLOCKS])
def test_each_command_prints_what_the_page_says(block: str, tmp_path: Path, endpoint: Endpoint) -> None:
    """The commands of a block run in order in one folder, and print nothing else."""
    arguments = '{"amount": 26.2, "unit": "miles"}'
    call = {"index": 0, "id": "call-1", "function": {"name": "convert_distance", "arguments": arguments}}
    endpoint.responses = [
        Response([event({"tool_calls": [call]}), event({}, "tool_calls")]),
        Response([event({"content": "26.2 miles are 42.2 kilometers."}), event({}, "stop")]),
    ]

    for command, output in _commands(block):
        ended = run(command, tmp_path, endpoint.env)

        expected = ".*".join(re.escape(part) for part in output.split(LEFT_OUT))
        assert re.fullmatch(expected, ended.out, re.DOTALL), ended.out
        assert (ended.code, ended.err) == (0, "")


def test_each_program_is_on_the_page() -> None:
    """Programs are in reading order with their command, which the program's docstring repeats."""
    shown = re.findall(r"^## \d\. .*\n\n\[(\w+\.py)\]", PAGE, re.MULTILINE)

    assert sorted(shown) == PROGRAMS
    assert [re.findall(r"python examples/(\w+\.py)", block)[0] for block in BLOCKS] == shown
    for name in PROGRAMS:
        docstring = ast.get_docstring(ast.parse((EXAMPLES / name).read_text(encoding="utf-8"))) or ""
        assert f"\n    python examples/{name}" in docstring


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_uses_public_names_of_the_reference_only(path: Path) -> None:
    """A reader can do what an example does. No example imports the kit."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in froms if (node.module or "").startswith("loopspec")]

    assert {name for name in plain if name.startswith("loopspec")} == set()
    assert {node.module for node in ours} <= {"loopspec_reference", "loopspec_reference.agentsmd"}
    for node in ours:
        public = importlib.import_module(node.module or "").__all__
        assert {alias.name for alias in node.names} - set(public) == set()
