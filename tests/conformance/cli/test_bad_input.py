"""User errors: each ends with one sentence, the right exit code and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec import __version__
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.selection import Selection, plan

from ..process import run_loopspec
from .in_process import Loopspec

KNOWN = '# Why.\n\n[[known]]\ncase = "AMD-CFG-01 :: No configuration"\nreason = "on purpose"\n'
WRONG = r"""
run refrence
run pyy:broken:Loader
run broken:Loader
run js:mine
run py:broken
run py:brokn:Loader
run py:xyzzy:Loader
run broken.py
run py:C:\Users\me\broken:Loader
run py:./broken.py
run py:loopspec.targets.pyton:Memory
run py:broken:Lauder
run py:broken:xyzzy
run reference --rule AMD-CGF-01
run reference --rule amd-idemp-01
run reference --rule ADM-DEPTH*
run reference --rule quite-another
run reference --area AMD-CGF
run reference --case AMD-CFG-01::No
run reference --case no-configuration
run reference --case zzz
run reference --deselect zzz
run reference --rule AMD-CFG-01 --deselect AMD-CFG-*
list NOPE-* NEITHER
list ADM-CYCLE
explain AMD-CFG-1
explain AMD-IDMP
explain limit-zreo
explain ADM-CYCLE-*
explain LINT-99
explain zzz
phrases echos
capabilities refrence
run reference --report no/r.jsonl
run reference --junit no/j.xml
run reference --write-baseline no/b.toml
run reference --report .
run reference --baseline no.toml
baseline prune reference no.toml
run reference --report x --junit ./x
run reference --dialect vscode
show --as vscode
lint --as vscode
lint nowhere
lint broken.py
show nowhere.md
show nowhere/at.md
show brokn.py
show .
show broken.py --root empty
init py broken.py
"""
UNREADABLE = """
rnu
walk
help rnu
baseline prnue
run reference --rul AMD-CFG-01
run reference --stric
list --jsn=1
list --zzz
doctor reference again
run reference --role loder
run reference --timeout 0
run reference --timeout soon
run reference --seed x
init cobol
explain
completion fish
"""


def head_of(arguments: str) -> str:
    """The first line of a run, printed before the target is resolved."""
    planned = plan(compiled(), Selection(), ledger().rules)
    return f"loopspec {__version__}: {len(planned)} cases on {arguments.split()[1]}\n"


def test_a_wrong_argument_is_one_sentence(here: Path, loopspec: Loopspec, snapshot: SnapshotAssertion) -> None:
    """The sentence says what is wrong and, where it is known, what would be right; nothing is written."""
    (here / "empty").mkdir()
    before = sorted(here.iterdir())
    said = []
    for arguments in WRONG.strip().splitlines():
        ended = loopspec(*arguments.split())
        assert (ended.code, ended.err.count("\n")) == (2, 1), arguments
        assert ended.out in ("", head_of(arguments))
        said.append(f"{arguments}\n  {ended.err}".replace(str(here), "HERE"))

    assert "".join(said) == snapshot
    assert sorted(path for path in here.iterdir() if path.name != "__pycache__") == before


def test_a_parser_error_is_one_sentence(loopspec: Loopspec, snapshot: SnapshotAssertion) -> None:
    """An error of the parser has the same form as any other error of a command."""
    said = []
    for arguments in UNREADABLE.strip().splitlines():
        ended = loopspec(*arguments.split())
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), arguments
        said.append(f"{arguments}\n  {ended.err}")

    assert "".join(said) == snapshot


def test_a_process_ends_like_the_called_command(tmp_path: Path) -> None:
    """A process prints the same sentence and exits with the same code, before the first case and after the last."""
    built = run_loopspec(tmp_path, "run", "py:broken:raises")
    written = run_loopspec(tmp_path, "run", "reference", "--rule=AMD-CFG-01", "--report=/dev/full")

    assert "Traceback" not in built.said
    assert (written.code, written.err) == (
        2,
        "loopspec: the report /dev/full cannot be written: No space left on device\n",
    )
    assert built.code == 4
    assert (
        built.err
        == "loopspec: the factory py:broken:raises failed: ConnectionError: no database (broken.py:246 in raises)\n"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[known]\n", "is not valid TOML: Expected ']]' at the end of an array declaration (at line 1, column 8)"),
        (KNOWN + '\n[[known]]\ncase = "AMD-CFG-02"\n', ", line 7: Object missing required field `reason`"),
        (KNOWN + 'raeson = "typo"\n', ", line 3: Object contains unknown field `raeson`"),
        (KNOWN.replace("on purpose", " "), ", line 3: 'AMD-CFG-01 :: No configuration' has no reason"),
        (KNOWN.replace("ation", ""), ", line 3: there is no case or rule 'AMD-CFG-01 :: No configur'"),
        ("\n" + KNOWN.replace('"on purpose"', "7"), ", line 4: Expected `str`, got `int`"),
        ("unknown = 1\n", ", line 1: Object contains unknown field `unknown`"),
        (KNOWN + KNOWN, ", line 8: 'AMD-CFG-01 :: No configuration' is listed twice: keep one entry"),
        ('known = [{case = "AMD-CFG-99", reason = "x"}]', ", line 1: there is no case or rule 'AMD-CFG-99'"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_one_sentence_with_a_line(
    text: str, sentence: str, here: Path, loopspec: Loopspec
) -> None:
    """The line number is that of the entry."""
    (here / "b.toml").write_text(text, encoding="utf-8")

    ended = loopspec("run", "reference", "--baseline", "b.toml")

    assert (ended.code, ended.out, ended.said.count("\n")) == (2, "", 1)
    assert ended.said.startswith("loopspec: the baseline b.toml")
    assert sentence in ended.said


def test_a_baseline_that_is_not_utf8_is_one_sentence(here: Path, loopspec: Loopspec) -> None:
    """Bytes that are not UTF-8 are not TOML."""
    (here / "b.toml").write_bytes(b"\xff\xfe")

    ended = loopspec("run", "reference", "--baseline", "b.toml")

    assert ended.code == 2
    assert ended.said.startswith(
        "loopspec: the baseline b.toml is not valid TOML: 'utf-8' codec can't decode byte 0xff"
    )


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("broken:raises", "the factory py:broken:raises failed: ConnectionError: no database"),
        ("broken:exits", "the factory py:broken:exits failed: SystemExit: no license"),
        ("unfinished:x", "the module unfinished cannot be imported: SyntaxError: expected ':' (unfinished.py, line 1)"),
        ("leaving:x", "the module leaving cannot be imported: SystemExit: 3"),
        ("needy:x", "the module needy needs 'not_installed', which is not installed"),
        ("broken:WrongRole", "py:broken:WrongRole declares the role 'loder': did you mean 'loader'?"),
        ("broken:MissingRole", "py:broken:MissingRole declares the role 'agent' but has no method perform()"),
        ("broken:WrongCapability", "py:broken:WrongCapability declares the capability 'flying', which is none: see"),
        ("broken:Roleless", "which has no role: give it one of the methods open(), load(), middleware(), perform()"),
    ],
)
def test_an_unusable_target_is_one_sentence(target: str, sentence: str, here: Path, loopspec: Loopspec) -> None:
    """An unusable target is reported before any case runs."""
    (here / "unfinished.py").write_text("def f()\n", encoding="utf-8")
    (here / "leaving.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    (here / "needy.py").write_text("import not_installed\n", encoding="utf-8")

    ended = loopspec("run", f"py:{target}", "--report", "r.jsonl")

    assert (ended.code, ended.out, ended.err.count("\n")) == (4, head_of(f"run py:{target}"), 1)
    assert sentence in ended.err
    assert not (here / "r.jsonl").exists()


def test_an_import_that_leads_outside_the_root_is_one_sentence(here: Path, loopspec: Loopspec) -> None:
    """`show` reports the error and the importing file, as an agent's loader does."""
    (here / "project").mkdir()
    (here / "project/Agents.md").write_text("See @../secret.md\n", encoding="utf-8")
    (here / "secret.md").write_text("Not yours.\n", encoding="utf-8")

    ended = loopspec("show", "project")

    outside = f"'../secret.md' is outside '{here}/project'"
    where = "while loading '../secret.md' imported from 'Agents.md'"
    assert (ended.code, ended.said) == (1, f"loading fails: {outside} ({where})\n")
