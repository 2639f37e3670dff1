"""What a user can get wrong: one sentence each, the right exit code, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..process import run_loopspec

KNOWN = '# Why.\n\n[[known]]\ncase = "AMD-CFG-01 :: No configuration at all"\nreason = "on purpose"\n'


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            "run refrence",
            "there is no target 'refrence': say `reference`, `py:package.module:factory` or `cmd:command line`",
        ),
        (
            "run py:broken",
            "there is no Python target 'py:broken': say `reference`, or `py:package.module:factory`",
        ),
        ("run py:brokn:Loader", "there is no module 'brokn' here ({here}) or installed: see 'py:brokn:Loader'"),
        ("run py:broken:Lauder", "the module broken has no factory 'Lauder': see 'py:broken:Lauder'"),
        ("run reference --rule AMD-CGF-01", "there is no rule 'AMD-CGF-01': did you mean 'AMD-CFG-01'?"),
        ("run reference --rule quite-another", "there is no rule 'quite-another': see `loopspec list`"),
        ("run reference --area AMD-CGF", "there is no area 'AMD-CGF': did you mean 'AMD-CFG'?"),
        (
            "run reference --case AMD-CFG-01::No",
            "there is no case 'AMD-CFG-01::No': did you mean 'AMD-CFG-01 :: No configuration at all'?",
        ),
        ("run reference --deselect zzz", "there is no case or rule 'zzz': see `loopspec list`"),
        (
            "run reference --rule AMD-CFG-01 --deselect AMD-CFG-*",
            "no case is left to run: see `loopspec list` for the rules and their scenarios",
        ),
        ("list NOPE-* NEITHER", "no rule or area is called 'NOPE-*' or 'NEITHER': see `loopspec list`"),
        ("explain AMD-CFG-1", "there is no rule 'AMD-CFG-1': did you mean AMD-CFG-10?"),
        ("explain zzz", "there is no rule 'zzz': see `loopspec list`"),
        (
            "capabilities refrence",
            "there is no target 'refrence': say `reference`, `py:package.module:factory` or `cmd:command line`",
        ),
        ("run reference --report no/r.jsonl", "no/r.jsonl cannot be written: No such file or directory"),
        ("run reference --junit no/j.xml", "no/j.xml cannot be written: No such file or directory"),
        ("run reference --write-baseline no/b.toml", "no/b.toml cannot be written: No such file or directory"),
        ("run reference --report .", ". cannot be written: Is a directory"),
        ("run reference --baseline no.toml", "the baseline no.toml cannot be read: No such file or directory"),
        ("baseline prune reference no.toml", "the baseline no.toml cannot be read: No such file or directory"),
        ("run reference --report x --junit ./x", "--report and --junit both name x: give each a file of its own"),
        ("run reference --report /dev/full", "the report /dev/full cannot be written: No space left on device"),
        ("show nowhere.md", "there is no file nowhere.md"),
        ("show .", "the folder . holds none of AGENTS.md, Agents.md, agents.md: name the file"),
        ("show broken.py --root empty", "broken.py is not below the root empty"),
        ("init py nowhere", "there is no folder nowhere"),
    ],
)
def test_a_wrong_argument_is_one_sentence(arguments: str, sentence: str, tmp_path: Path) -> None:
    """It says what is wrong and, where that is known, what would be right."""
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.iterdir())

    ended = run_loopspec(tmp_path, *arguments.split())

    assert (ended.code, ended.said) == (2, f"loopspec: {sentence.format(here=tmp_path)}\n")
    left = sorted(path for path in tmp_path.iterdir() if path.name != "__pycache__")
    assert left == sorted([*before, tmp_path / "broken.py"])  # nothing half-made


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("run reference --role loder", "argument --role: invalid choice: 'loder'"),
        ("run reference --timeout 0", "argument --timeout: 0 is no time to wait"),
        ("run reference --timeout soon", "argument --timeout: soon is no time to wait"),
        ("run reference --seed x", "argument --seed: invalid int value: 'x'"),
        ("walk", "invalid choice: 'walk'"),
        ("init cobol", "invalid choice: 'cobol'"),
    ],
)
def test_a_wrong_option_is_shown_with_the_usage(arguments: str, sentence: str, tmp_path: Path) -> None:
    """What the parser of the command line finds ends like everything else that is wrong with a command."""
    ended = run_loopspec(tmp_path, *arguments.split())

    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[known]\n", "is no TOML: Expected ']]' at the end of an array declaration (at line 1, column 8)"),
        (KNOWN + '\n[[known]]\ncase = "AMD-CFG-02"\n', ", line 7: Object missing required field `reason`"),
        (KNOWN + 'raeson = "typo"\n', ", line 3: Object contains unknown field `raeson`"),
        (KNOWN.replace("on purpose", " "), ", line 3: 'AMD-CFG-01 :: No configuration at all' has no reason"),
        (KNOWN.replace("at all", ""), ", line 3: there is no case or rule 'AMD-CFG-01 :: No configuration '"),
        ("\n" + KNOWN.replace('"on purpose"', "7"), ", line 4: Expected `str`, got `int`"),
        ("unknown = 1\n", ", line 1: Object contains unknown field `unknown`"),
        (KNOWN + KNOWN, ", line 8: 'AMD-CFG-01 :: No configuration at all' is listed twice: keep one entry"),
        ('known = [{case = "AMD-CFG-99", reason = "x"}]', ", line 1: there is no case or rule 'AMD-CFG-99'"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_one_sentence_with_a_line(text: str, sentence: str, tmp_path: Path) -> None:
    """The line is that of the entry."""
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")

    ended = run_loopspec(tmp_path, "run", "reference", "--baseline", "b.toml")

    assert (ended.code, ended.out, ended.said.count("\n")) == (2, "", 1)
    assert ended.said.startswith("loopspec: the baseline b.toml")
    assert sentence in ended.said


def test_a_baseline_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are no TOML."""
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")

    ended = run_loopspec(tmp_path, "run", "reference", "--baseline", "b.toml")

    assert ended.code == 2
    assert ended.said.startswith("loopspec: the baseline b.toml is no TOML: 'utf-8' codec can't decode byte 0xff")


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("broken:raises", "the factory py:broken:raises failed: ConnectionError: no database"),
        ("broken:exits", "the factory py:broken:exits failed: SystemExit: no licence"),
        ("unfinished:x", "the module unfinished cannot be imported: SyntaxError: expected ':' (unfinished.py, line 1)"),
        ("leaving:x", "the module leaving cannot be imported: SystemExit: 3"),
        ("needy:x", "the module needy needs 'not_installed', which is not installed"),
        ("broken:WrongRole", "py:broken:WrongRole declares the role 'loder': the roles are backend, loader,"),
        ("broken:MissingRole", "py:broken:MissingRole declares the role 'agent' but has no method perform()"),
        ("broken:WrongCapability", "py:broken:WrongCapability declares the capability 'flying', which is none: see"),
        ("broken:Roleless", "which has no role: give it one of the methods open(), load(), middleware(), perform()"),
    ],
)
def test_an_unusable_target_is_one_sentence(target: str, sentence: str, tmp_path: Path) -> None:
    """It is found out before anything runs."""
    (tmp_path / "unfinished.py").write_text("def f()\n", encoding="utf-8")
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    (tmp_path / "needy.py").write_text("import not_installed\n", encoding="utf-8")

    ended = run_loopspec(tmp_path, "run", f"py:{target}", "--report", "r.jsonl")

    assert (ended.code, ended.out, ended.said.count("\n")) == (4, "", 1)
    assert sentence in ended.said
    assert not (tmp_path / "r.jsonl").exists()


def test_an_import_that_leads_outside_the_root_is_one_sentence(tmp_path: Path) -> None:
    """`show` says what fails and where, as an agent would have met it."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project/Agents.md").write_text("See @../secret.md\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("Not yours.\n", encoding="utf-8")

    ended = run_loopspec(tmp_path, "show", "project")

    outside = f"'../secret.md' is outside '{tmp_path}/project'"
    where = "while loading '../secret.md' imported from 'Agents.md'"
    assert (ended.code, ended.said) == (1, f"loading fails: {outside} ({where})\n")


def test_a_file_that_would_be_overwritten_stays(tmp_path: Path) -> None:
    """`init` writes all of its files or none."""
    (tmp_path / "loopspec-ci.yml").write_text("mine\n", encoding="utf-8")

    ended = run_loopspec(tmp_path, "init", "py")

    assert (ended.code, ended.said) == (2, "loopspec: loopspec-ci.yml exists already: nothing was written\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.py", "loopspec-ci.yml"]
