"""Records sessions of opencode: `npm install --ignore-scripts opencode-ai@1.18.33` in a folder, and then
`python -m tests.check.recordings.opencode.record FOLDER`. Each recording is what `opencode export` prints."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from ..running import Tool, call, two_commands
from ..scripted_endpoint import Endpoint

COMMANDS = [call(1, "bash", command="echo one", description="Print one"), call(2, "read", filePath="missing.txt")]
LOOK: list[Any] = [{"thought": "I look."}, "I look at two files.", *COMMANDS]
STOPPED: dict[str, tuple[list[Any], signal.Signals]] = {
    "in_tool": (two_commands("bash", "command", description="Run"), signal.SIGKILL),
    "in_stream": (["I begin to", None], signal.SIGKILL),
    "interrupted": (two_commands("bash", "command", description="Run"), signal.SIGINT),
}
SWITCHES = {"autoupdate": False, "share": "disabled", "snapshot": False, "lsp": False, "formatter": False}


def opencode(*script: list[Any], tokens: int = 10, bash: str = "allow") -> Tool:
    endpoint = Endpoint([*script], tokens)
    model = {"reasoning": True, "limit": {"context": 50000, "output": 1000}}
    options = {"baseURL": f"http://127.0.0.1:{endpoint.server_port}/v1", "apiKey": "none"}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"mock": model}}
    configuration = {"provider": {"mock": provider}, "model": "mock/mock", "permission": {"bash": bash}, **SWITCHES}
    variables = {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_CONFIG_CONTENT": json.dumps(configuration)}
    return Tool(endpoint, [Path(sys.argv[1], "node_modules/opencode-linux-x64/bin/opencode").resolve()], variables)


def record(tool: Tool, name: str) -> None:
    (listed,) = json.loads(tool.run("session", "list", "--format", "json"))
    session = json.loads(tool.run("export", listed["id"]))
    for part in (part for message in session["messages"] for part in message["parts"] if part.get("synthetic")):
        part["text"] = "…"
    tool.write(Path(__file__).parent / f"{name}.json", [session])


if __name__ == "__main__":
    sound: dict[str, Any] = {"two_turns": {}, "compaction": {"tokens": 90000}, "rejected": {"bash": "ask"}}
    for name, settings in sound.items():
        tool = opencode(LOOK, ["One file is missing."], ["As I said."], **settings)
        tool.run("run", "--title", "t", "Read the files.")
        tool.run("run", "--continue", "Go on.")
        record(tool, name)
    for name, (answer, stopped_by) in STOPPED.items():
        tool = opencode(answer, ["Later."])
        tool.run("run", "--title", "t", "Run them.", stopped_by=stopped_by)
        record(tool, f"killed/{name}")
        tool.run("run", "--continue", "Go on.")
        if name == "in_tool":
            record(tool, f"killed/{name}_and_resumed")
        print(name, json.dumps(tool.endpoint.requests[-1]["messages"][1:], indent=1))  # noqa: T201  # what the table of killed runs says
