"""Records sessions of the Codex CLI: `npm install --ignore-scripts @openai/codex@0.171.0` in a folder, and then
`python -m tests.check.recordings.codex.record FOLDER`. The texts of Codex are replaced."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from ..running import Tool, call, two_commands
from ..scripted_endpoint import Endpoint

CONFIGURATION = """
model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
model_auto_compact_token_limit = 1000
model_providers.mock = {{ name = "mock", base_url = "http://127.0.0.1:{port}/v1", wire_api = "responses" }}
"""
COMMANDS = [call(1, "exec_command", cmd="echo one"), call(2, "exec_command", cmd="cat missing")]
LOOK: list[Any] = [{"thought": "I look."}, "I look at two files.", *COMMANDS]
STOPPED: dict[str, tuple[list[Any], signal.Signals]] = {
    "in_tool": (two_commands("exec_command", "cmd"), signal.SIGKILL),
    "in_stream": (["I begin to", None], signal.SIGKILL),
    "after_thought": ([{"thought": "I look."}, None], signal.SIGKILL),
    "interrupted": (two_commands("exec_command", "cmd"), signal.SIGINT),
}
RESUME = ("resume", "--last", "--skip-git-repo-check", "Go on.")


def codex(*script: list[Any], tokens: int = 10) -> Tool:
    endpoint = Endpoint([*script], tokens)
    program = next(Path(sys.argv[1]).glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
    tool = Tool(endpoint, [program.resolve(), "exec"], {})
    (tool.home / ".codex").mkdir()
    (tool.home / ".codex/config.toml").write_text(CONFIGURATION.format(port=endpoint.server_port))
    return tool


def record(tool: Tool, name: str) -> None:
    lines = next((tool.home / ".codex/sessions").rglob("*.jsonl")).read_text().splitlines()
    tool.write(Path(__file__).parent / f"{name}.jsonl", map(json.loads, lines))


if __name__ == "__main__":
    again: list[Any] = [{"thought": "I know it."}, "As I said."]
    script = [LOOK, ["One file is missing."], again]
    for name, tokens in {"two_turns": 10, "compaction": 5000, "one_answer": 1}.items():
        tool = codex(*(script if name != "one_answer" else [again]), tokens=tokens)
        tool.run("--skip-git-repo-check", "Read the files.")
        if name == "two_turns":
            tool.run(*RESUME)
        record(tool, name)
    for name, (answer, stopped_by) in STOPPED.items():
        tool = codex(answer, ["Later."])
        tool.run("--skip-git-repo-check", "Run them.", stopped_by=stopped_by)
        record(tool, f"killed/{name}")
        tool.run(*RESUME)
        if name == "in_tool":
            record(tool, f"killed/{name}_and_resumed")
        print(name, json.dumps(tool.endpoint.requests[-1]["input"][3:], indent=1))  # noqa: T201  # what the table of killed runs says
