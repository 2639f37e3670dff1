"""User errors: each ends with one sentence, the right exit code and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec import __version__
from loopspec.contract.dialects import dialect_names
from loopspec.specification.features import compiled

from ..process import run_loopspec
from .in_process import Loopspec

KNOWN = '# Why.\n\n[[known]]\ncase = "AMD-CFG-01 :: No configuration"\nreason = "on purpose"\n'


CASES = "`loopspec list` prints the rules, and `loopspec explain RULE` the cases of one"
FACTORY = "name a class or a function that makes the target, such as 'py:broken:Loader'"
DIALECTS = f"the dialects are {', '.join(dialect_names())}"
ELSEWHERE = "here ({here}) or installed"


def head_of(arguments: str) -> str:
    """The first line of a run, printed before the target is resolved."""
    return f"loopspec {__version__}: {len(compiled())} cases on {arguments.split()[1]}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("run refrence", "there is no target 'refrence': did you mean 'reference'?"),
        ("run pyy:broken:Loader", "there is no target 'pyy:broken:Loader': did you mean 'py:broken:Loader'?"),
        ("run broken:Loader", "there is no target 'broken:Loader': did you mean 'py:broken:Loader'?"),
        (
            "run js:mine",
            (
                "there is no target 'js:mine': "
                "use `reference`, `py:package.module:factory`, `cmd:command line` or `known:name`"
            ),
        ),
        (
            "run py:broken",
            f"'py:broken' names no factory: {FACTORY}",
        ),
        ("run py:brokn:Loader", "there is no module 'brokn' here ({here}) or installed: did you mean 'broken'?"),
        ("run py:xyzzy:Loader", "there is no module 'xyzzy' here ({here}) or installed"),
        (
            "run broken.py",
            "there is no target 'broken.py': name the module as Python imports it, 'py:broken:FACTORY'",
        ),
        (
            "run py:C:\\Users\\me\\broken:Loader",
            (
                "'py:C:\\Users\\me\\broken:Loader' names a file: name the module as Python imports it, "
                "'py:broken:Loader' in the folder C:\\Users\\me"
            ),
        ),
        (
            "run py:./broken.py",
            "'py:./broken.py' names a file: name the module as Python imports it, 'py:broken:FACTORY' in the folder .",
        ),
        (
            "run py:loopspec.targets.pyton:Memory",
            f"there is no module 'loopspec.targets.pyton' {ELSEWHERE}: did you mean 'loopspec.targets.python'?",
        ),
        ("run py:broken:Lauder", "the module broken has no factory 'Lauder': did you mean 'Loader'?"),
        ("run py:broken:xyzzy", f"the module broken has no factory 'xyzzy': {FACTORY}"),
        ("run reference --rule AMD-CGF-01", "there is no rule 'AMD-CGF-01': did you mean 'AMD-CFG-01'?"),
        ("run reference --rule amd-idemp-01", "there is no rule 'amd-idemp-01': did you mean 'AMD-IDEMP-01'?"),
        ("run reference --rule ADM-DEPTH*", "there is no rule 'ADM-DEPTH*': did you mean 'AMD-DEPTH*'?"),
        ("run reference --rule quite-another", "there is no rule 'quite-another': see `loopspec list`"),
        ("run reference --area AMD-CGF", "there is no area 'AMD-CGF': did you mean 'AMD-CFG'?"),
        (
            "run reference --case AMD-CFG-01::No",
            "there is no case 'AMD-CFG-01::No': did you mean 'AMD-CFG-01 :: No configuration'?",
        ),
        (
            "run reference --case no-configuration",
            "there is no case 'no-configuration': did you mean 'AMD-CFG-01 :: No configuration'?",
        ),
        ("run reference --case zzz", "there is no case 'zzz': " + CASES),
        ("run reference --deselect zzz", "there is no case or rule 'zzz': " + CASES),
        (
            "run reference --rule AMD-CFG-01 --deselect AMD-CFG-*",
            "no case is left to run: see `loopspec list` for the rules and their scenarios",
        ),
        ("list NOPE-* NEITHER", "no rule or area is called 'NOPE-*' or 'NEITHER': see `loopspec list`"),
        ("list ADM-CYCLE", "no rule or area is called 'ADM-CYCLE': did you mean 'AMD-CYCLE'?"),
        ("explain AMD-CFG-1", "there is no rule 'AMD-CFG-1': did you mean 'AMD-CFG-10'?"),
        ("explain AMD-IDMP", "there is no rule 'AMD-IDMP': did you mean 'AMD-IDEMP'?"),
        ("explain limit-zreo", "there is no rule 'limit-zreo': did you mean 'limit-zero'?"),
        ("explain ADM-CYCLE-*", "no rule or area is called 'ADM-CYCLE-*': did you mean 'AMD-CYCLE-*'?"),
        ("explain zzz", "there is no rule 'zzz': see `loopspec list`"),
        ("capabilities refrence", "there is no target 'refrence': did you mean 'reference'?"),
        ("run reference --report no/r.jsonl", "no/r.jsonl cannot be written: No such file or directory"),
        ("run reference --junit no/j.xml", "no/j.xml cannot be written: No such file or directory"),
        ("run reference --write-baseline no/b.toml", "no/b.toml cannot be written: No such file or directory"),
        ("run reference --report .", ". cannot be written: Is a directory"),
        ("run reference --baseline no.toml", "the baseline no.toml cannot be read: No such file or directory"),
        ("baseline prune reference no.toml", "the baseline no.toml cannot be read: No such file or directory"),
        ("run reference --report x --junit ./x", "--report and --junit both name x: name a separate file for each"),
        ("run reference --dialect vscode", f"there is no dialect 'vscode': {DIALECTS}"),
        ("show --as vscode", f"there is no dialect 'vscode': {DIALECTS}"),
        ("lint --as vscode", f"there is no tool 'vscode': {DIALECTS}"),
        ("lint nowhere", "'nowhere' is no folder: name the folder of a repository"),
        ("lint broken.py", "'broken.py' is no folder: name the folder of a repository"),
        ("show nowhere.md", "there is no file or folder nowhere.md"),
        ("show nowhere/at.md", "there is no file or folder nowhere/at.md"),
        ("show brokn.py", "there is no file or folder brokn.py: did you mean 'broken.py'?"),
        ("show .", "the folder . has none of AGENTS.md, Agents.md, agents.md: name the file"),
        ("show broken.py --root empty", "broken.py is not in the root folder empty: name another --root"),
        ("init py broken.py", "the folder broken.py cannot be created: File exists"),
    ],
)
def test_a_wrong_argument_is_one_sentence(arguments: str, sentence: str, here: Path, loopspec: Loopspec) -> None:
    """The sentence says what is wrong and, where it is known, what would be right."""
    (here / "empty").mkdir()
    before = sorted(here.iterdir())

    ended = loopspec(*arguments.split())

    assert (ended.code, ended.err) == (2, f"loopspec: {sentence.format(here=here)}\n")
    assert ended.out in ("", head_of(arguments))
    left = sorted(path for path in here.iterdir() if path.name != "__pycache__")
    assert left == before  # no partly written file


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("rnu", "there is no command 'rnu': did you mean 'run'?"),
        ("walk", "there is no command 'walk' (see `loopspec --help`)"),
        ("help rnu", "there is no command 'rnu': did you mean 'run'?"),
        ("baseline prnue", "`loopspec baseline` has no command 'prnue': did you mean 'prune'?"),
        ("run reference --rul AMD-CFG-01", "`loopspec run` has no option '--rul': did you mean '--rule'?"),
        ("run reference --stric", "`loopspec run` has no option '--stric': did you mean '--strict'?"),
        ("list --jsn=1", "`loopspec list` has no option '--jsn': did you mean '--json'?"),
        ("list --zzz", "`loopspec list` has no option '--zzz' (see `loopspec list --help`)"),
        ("doctor reference again", "`loopspec doctor` takes no argument 'again' (see `loopspec doctor --help`)"),
        ("run reference --role loder", "argument --role: invalid choice: 'loder': did you mean 'loader'?"),
        (
            "run reference --timeout 0",
            "argument --timeout: '0' is not a number of seconds above 0 (see `loopspec run --help`)",
        ),
        (
            "run reference --timeout soon",
            "argument --timeout: 'soon' is not a number of seconds above 0 (see `loopspec run --help`)",
        ),
        ("run reference --seed x", "argument --seed: invalid int value: 'x' (see `loopspec run --help`)"),
        (
            "init cobol",
            "argument language: invalid choice: 'cobol': choose from py, go, node (see `loopspec init --help`)",
        ),
        ("explain", "the following arguments are required: ID (see `loopspec explain --help`)"),
        (
            "completion fish",
            "argument SHELL: invalid choice: 'fish': choose from bash, zsh, tcsh (see `loopspec completion --help`)",
        ),
    ],
)
def test_a_parser_error_is_one_sentence(arguments: str, sentence: str, loopspec: Loopspec) -> None:
    """An error of the parser has the same form as any other error of a command."""
    ended = loopspec(*arguments.split())

    assert (ended.code, ended.out, ended.err) == (2, "", f"loopspec: {sentence}\n")


def test_a_process_ends_like_the_called_command(tmp_path: Path) -> None:
    """A process prints the same sentence and exits with the same code, whichever part finds the mistake."""
    parsed = run_loopspec(tmp_path, "rnu")
    looked_up = run_loopspec(tmp_path, "run", "refrence")
    built = run_loopspec(tmp_path, "run", "py:broken:raises")
    written = run_loopspec(tmp_path, "run", "reference", "--rule=AMD-CFG-01", "--report=/dev/full")

    assert (parsed.code, parsed.said) == (2, "loopspec: there is no command 'rnu': did you mean 'run'?\n")
    assert "Traceback" not in looked_up.said + built.said
    assert (looked_up.code, looked_up.err) == (
        2,
        "loopspec: there is no target 'refrence': did you mean 'reference'?\n",
    )
    assert (written.code, written.err) == (
        2,
        "loopspec: the report /dev/full cannot be written: No space left on device\n",
    )
    assert built.code == 4
    assert (
        built.err
        == "loopspec: the factory py:broken:raises failed: ConnectionError: no database (broken.py:255 in raises)\n"
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


def test_an_existing_file_is_not_overwritten(here: Path, loopspec: Loopspec) -> None:
    """`init` writes all of its files or none."""
    (here / "loopspec-ci.yml").write_text("mine\n", encoding="utf-8")

    ended = loopspec("init", "py")

    assert (ended.code, ended.said) == (2, "loopspec: loopspec-ci.yml exists already: nothing was written\n")
    assert sorted(path.name for path in here.iterdir()) == ["broken.py", "loopspec-ci.yml"]
