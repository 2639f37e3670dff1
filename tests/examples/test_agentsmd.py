"""`examples/agentsmd.py` on small folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Ended, call

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


@pytest.mark.parametrize("arguments", ["", "nowhere"])
def test_wrong_arguments_print_the_usage(arguments: str, tmp_path: Path) -> None:
    """The usage is one line."""
    (tmp_path / "project").mkdir()

    ended = call(f"python examples/agentsmd.py {arguments}", tmp_path)

    assert ended == Ended(1, "", "usage: agentsmd.py FOLDER, a folder with an Agents.md\n")
