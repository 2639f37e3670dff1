"""Witnesses are performed in the environment of their target, and compared with what they say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec_known.declarations import known
from loopspec_known.witnesses import Shown, perform, witnesses

from ..conformance.process import Ended
from .packages import write_witness

Loopspec = Callable[..., Ended]
SHOUTS = """\
from fakestore import Store

print("kept:", Store.kept(b"one\\r\\n"))

# Output:
# kept: b'one\\r\\n'
"""


@pytest.fixture
def fake(adapters: Path) -> Path:
    """The folder of an adapter with one witness."""
    write_witness(adapters / "fake", "keeps-line-ends", SHOUTS)
    return adapters / "fake"


def test_a_witness_prints_what_it_says(fake: Path, loopspec: Loopspec) -> None:
    """In the environment of the target, which has the package; with its name, the command prints the output, too."""
    all_of_them = loopspec("known", "--witness", "fake")
    one = loopspec("known", "--witness", "fake", "keeps-line-ends")

    assert (all_of_them.code, one.code) == (0, 0), all_of_them.said
    assert all_of_them.err.startswith("loopspec: installing known:fake@1.0 into ")
    assert all_of_them.out.splitlines() == [
        "keeps-line-ends: as it says",
        "1 witness of known:fake@1.0: all printed what their files say.",
    ]
    assert one.out.splitlines()[1:-1] == [
        "  known for this test",
        f"  {fake}/witnesses/keeps-line-ends.py",
        "  | kept: b'one\\r\\n'",
    ]


def test_a_witness_that_prints_something_else(fake: Path, loopspec: Loopspec) -> None:
    """At a version that changes line ends, the difference is shown with the reason, and the command fails."""
    ended = loopspec("known", "--witness", "fake@1.1")

    assert ended.code == 1
    assert ended.out.splitlines()[0] == "keeps-line-ends: something else"
    assert "  | kept: b'one\\n'" in ended.out.splitlines()
    assert ended.out.endswith("1 witness of known:fake@1.1: 1 of them did not print what their files say.\n")


@pytest.mark.parametrize(
    ("program", "errors"),
    [
        ("import os\nos.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("print('kept')\nraise ValueError('no')", "ValueError: no"),
        ("import missing_package", "ModuleNotFoundError: No module named 'missing_package'"),
    ],
    ids=["killed", "fails", "lacks a package"],
)
def test_a_program_that_fails(fake: Path, program: str, errors: str) -> None:
    """It confirms nothing, whatever it has printed; the other programs are performed."""
    write_witness(fake, "keeps-line-ends", f"{program}\n\n# Output:\n# kept\n")
    write_witness(fake, "prints", "print(1)\n\n# Output:\n# 1\n")
    found = witnesses(known("fake"))

    failed, passed = perform(known("fake"), found, Path(sys.executable))

    assert failed.errors.rstrip().endswith(errors)
    assert [one.confirms(witness) for one, witness in zip((failed, passed), found, strict=True)] == [False, True]
    assert passed == Shown("prints", "1\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "witness {} cannot be read: No such file or directory"),
        ("print(1)\n", "witness {} does not end with a comment `Output:` and what it prints"),
    ],
)
def test_a_witness_without_an_output(fake: Path, loopspec: Loopspec, text: str | None, said: str) -> None:
    """One sentence names the file."""
    path = fake / "witnesses" / "keeps-line-ends.py"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")

    ended = loopspec("known", "--witness", "fake")

    assert (ended.code, ended.err) == (5, f"loopspec: the suite itself is broken: the {said.format(path)}\n")


def test_an_unknown_cause(fake: Path, loopspec: Loopspec) -> None:
    """The sentence has the nearest one."""
    ended = loopspec("known", "--witness", "fake", "keeps-line-end")

    assert (ended.code, ended.out) == (2, "")
    assert "no known difference of fake has the cause 'keeps-line-end'" in ended.err
    assert "keeps-line-ends" in ended.err


def test_a_target_without_witnesses(adapters: Path, loopspec: Loopspec) -> None:
    """Its differences have no causes yet."""
    ended = loopspec("known", "--witness", "fake")

    assert (ended.code, ended.err) == (2, "loopspec: fake has no known difference with a witness\n")
