"""`examples/interrupt.py`: one process asks, and another one resumes with the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Ended, call

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


@pytest.mark.parametrize("arguments", ["", "ask", "answer run.json maybe"])
def test_wrong_arguments_print_the_usage(arguments: str, tmp_path: Path) -> None:
    """The usage is one line, and no file is written."""
    ended = call(f"python examples/interrupt.py {arguments}", tmp_path)

    assert ended == Ended(1, "", "usage: interrupt.py ask FILE, then interrupt.py answer FILE yes|no\n")
    assert not (tmp_path / "run.json").exists()
