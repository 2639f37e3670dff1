"""The page of the examples is correct, and the examples are what it promises."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from .endpoint import Endpoint, Response, event
from .programs import EXAMPLES, Ended, call, run

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
    asked = {"index": 0, "id": "call-1", "function": {"name": "convert_distance", "arguments": arguments}}
    endpoint.responses = [
        Response([event({"tool_calls": [asked]}), event({}, "tool_calls")]),
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


WHOLE = """\
-- warning
missing.md: the file does not exist
-- system
You help with this project.
-- user
<system-reminder>
The project and its user have written these instructions. Follow them to the letter; where they differ from what you \
would do by default, they decide.

File content: Agents.md (instructions):

Read @docs/style.md and @missing.md first.

File content: docs/style.md (instructions):

Short sentences.
Not everything above need concern the task at hand. Leave what does not concern it unmentioned.
</system-reminder>
-- user
What do I have to know?
"""


def test_the_model_receives_the_files_of_the_folder(tmp_path: Path) -> None:
    """The whole output is compared."""
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    (project / "Agents.md").write_text("Read @docs/style.md and @missing.md first.")
    (project / "docs/style.md").write_text("Short sentences.")

    assert call("python examples/agentsmd.py project", tmp_path) == Ended(0, WHOLE, "")


def test_a_folder_without_the_file_gives_no_instructions(tmp_path: Path) -> None:
    """A warning is printed, and the conversation is unchanged."""
    (tmp_path / "project").mkdir()

    ended = call("python examples/agentsmd.py project", tmp_path)

    warning = "-- warning\nAgents.md: the file does not exist\n"
    conversation = "-- system\nYou help with this project.\n-- user\nWhat do I have to know?\n"
    assert ended == Ended(0, warning + conversation, "")


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    """A folder with the name of the file ends the run."""
    (tmp_path / "project/Agents.md").mkdir(parents=True)

    ended = call("python examples/agentsmd.py project", tmp_path)

    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("The run has failed: [Errno 21] Is a directory")
    assert ended.err.count("\n") == 1


ASK = "python examples/interrupt.py ask run.json"


def test_the_answer_reaches_the_tool_and_the_file_is_used_once(tmp_path: Path) -> None:
    """ "no" and "yes" give different results; a second answer finds no file."""
    asked = call(ASK, tmp_path)
    answered = call("python examples/interrupt.py answer run.json no", tmp_path)
    again = call("python examples/interrupt.py answer run.json yes", tmp_path)

    assert asked == Ended(0, "assistant calls delete_backups with {}\ninterrupted: Delete all backups?\n", "")
    assert answered == Ended(0, "tool: the user refused\nassistant: Nothing else is to be done.\n", "")
    missing = "The file cannot be used: [Errno 2] No such file or directory: 'run.json'\n"
    assert again == Ended(1, "", missing)


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        (b"{}", ["Object missing required field `interrupts`"]),
        (
            b'{"interrupts": [{"call_id": "\xff"}]}',
            [
                "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
                "Invalid UTF-8 encoded string",  # of newer versions of msgspec
            ],
        ),
    ],
    ids=["another object", "other bytes"],
)
def test_another_file_is_rejected(content: bytes, reasons: list[str], tmp_path: Path) -> None:
    """The error is one sentence, and the file is kept."""
    (tmp_path / "run.json").write_bytes(content)

    rejected = call("python examples/interrupt.py answer run.json yes", tmp_path)

    assert rejected in [Ended(1, "", f"The file does not hold an interrupted run: {reason}\n") for reason in reasons]
    assert (tmp_path / "run.json").read_bytes() == content


def test_a_run_that_fails_keeps_the_file(tmp_path: Path) -> None:
    """The damaged checkpoint gives one sentence, and the file is kept."""
    (tmp_path / "run.json").write_text('{"interrupts": [], "checkpoint": "e30="}')

    failed = call("python examples/interrupt.py answer run.json yes", tmp_path)

    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith("The run has failed: these bytes are not a checkpoint")
    assert failed.err.count("\n") == 1
    assert (tmp_path / "run.json").exists()


USAGE = {
    "agentsmd": "FOLDER, a folder with an Agents.md",
    "interrupt": "ask FILE, then interrupt.py answer FILE yes|no",
    "openai_compatible": "[--whole] QUESTION",
}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *(
            ("agentsmd", ""),
            ("agentsmd", "nowhere"),
            ("openai_compatible", "--whole"),
            ("openai_compatible", "How far"),
        ),
        *(("interrupt", ""), ("interrupt", "ask"), ("interrupt", "answer run.json maybe")),
    ],
)
def test_wrong_arguments_print_the_usage(name: str, arguments: str, tmp_path: Path) -> None:
    """The usage is one line, and no file is written."""
    ended = call(f"python examples/{name}.py {arguments}", tmp_path)

    assert ended == Ended(1, "", f"usage: {name}.py {USAGE[name]}\n")
    assert list(tmp_path.iterdir()) == []
