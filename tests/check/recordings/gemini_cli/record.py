"""Records sessions of the Gemini CLI: `npm install --ignore-scripts @google/gemini-cli@0.61.0` in a folder, 0.30.0 in
another one, and then `python -m tests.check.recordings.gemini_cli.record FOLDER OTHER`. Long texts are replaced."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from ..running import Tool, call, two_commands
from ..scripted_endpoint import Endpoint

COMMANDS = [call(1, "run_shell_command", command="echo one"), call(2, "read_file", file_path="missing.txt")]
LOOK: list[Any] = [{"thought": "**Look** I look."}, "I look at two files.", *COMMANDS]
STOPPED: dict[str, tuple[list[Any], signal.Signals]] = {
    "in_tool": (two_commands("run_shell_command", "command"), signal.SIGKILL),
    "in_stream": (["I begin to", None], signal.SIGKILL),
    "interrupted": (two_commands("run_shell_command", "command"), signal.SIGINT),
}
RESUME = ("--resume", "latest", "-p", "Go on.")


def gemini(*script: list[Any], folder: int = 1, program: str = "bundle/gemini.js") -> Tool:
    endpoint = Endpoint([*script])
    path = Path(sys.argv[folder], "node_modules/@google/gemini-cli", program).resolve()
    address = f"http://127.0.0.1:{endpoint.server_port}"
    variables = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": address, "GEMINI_CLI_NO_RELAUNCH": "1"}
    variables["GEMINI_CLI_TRUST_WORKSPACE"] = "true"
    tool = Tool(endpoint, ["node", path, "-y", "-m", "gemini-2.5-flash"], variables)
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    (tool.home / ".gemini").mkdir()
    (tool.home / ".gemini/settings.json").write_text(json.dumps(settings))
    return tool


def record(tool: Tool, name: str) -> None:
    path = min((tool.home / ".gemini/tmp").rglob("chats/*.json*"))
    texts = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
    tool.write(Path(__file__).parent / f"{name}{path.suffix}", map(json.loads, texts))


if __name__ == "__main__":
    script: list[list[Any]] = [LOOK, ["One file is missing."], ["As I said."]]
    for tool, name in ((gemini(*script), ""), (gemini(*script, folder=2, program="dist/index.js"), "earlier_version")):
        tool.run("-p", "Read the files.")
        record(tool, name or "parallel_calls")
        tool.run(*RESUME)
        record(tool, name or "killed/resumed_after_calls")
    tool = gemini([{"thought": "**Greet** I greet."}, "Hello."], ["Hello again."])
    tool.run("-p", "Hello.")
    tool.run(*RESUME)
    record(tool, "two_turns")
    for name, (answer, stopped_by) in STOPPED.items():
        tool = gemini(answer, ["Later."])
        tool.run("-p", "Run them.", stopped_by=stopped_by)
        record(tool, f"killed/{name}")
        tool.run(*RESUME)
        print(name, json.dumps(tool.endpoint.requests[-1]["contents"], indent=1))  # noqa: T201  # what the table of killed runs says
