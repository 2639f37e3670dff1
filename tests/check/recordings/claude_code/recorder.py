"""Runs @anthropic-ai/claude-code against a scripted endpoint. The first argument is the command of the tool."""

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from endpoint import Endpoint  # noqa: E402  # the path comes first
from running import Tool  # noqa: E402  # the path comes first

OFF = ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", *(f"DISABLE_{each}" for each in ("TELEMETRY", "ERROR_REPORTING"))]
FIXED = "--output-format json --model claude-sonnet-4-5 --system-prompt Short. --tools {0} --allowedTools {0}"


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(number: int, does: str, name: str = "Bash") -> dict[str, Any]:
    more = {"command": does} if name == "Bash" else {"prompt": does, "description": "Ask", "subagent_type": "Explore"}
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": more}


class Recorder:
    """The tool in a home folder of its own. Texts that were not said here are the tool's, and are left out."""

    def __init__(self, tools: str = "Bash") -> None:
        self.endpoint, self.said = Endpoint(), ""
        url = f"http://127.0.0.1:{self.endpoint.server_port}"
        variables = {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": url, **dict.fromkeys(OFF, "1")}
        self.tool = Tool([sys.argv[1], *FIXED.format(tools).split()], variables)

    def arguments(self, prompt: str, *answers: list[Any], more: tuple[str, ...] = ("--continue",)) -> list[str]:
        self.said += json.dumps([prompt, *answers])
        self.endpoint.script[:] = answers
        return ["-p", prompt, *(more if self.endpoint.requests else ())]

    def run(self, prompt: str, *answers: list[Any], more: tuple[str, ...] = ("--continue",)) -> None:
        self.tool.run(*self.arguments(prompt, *answers, more=more))

    def ours(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.ours(each) for key, each in value.items() if key not in ("usage", "toolUseResult")}
        if isinstance(value, list):
            return [self.ours(each) for each in value]
        return "…" if isinstance(value, str) and " " in value and value not in self.said else value

    def records(self, files: str = "*.jsonl") -> list[Any]:
        [path] = self.tool.home.glob(f".claude/projects/*/{files}")
        return [self.ours(json.loads(line)) for line in path.read_text().splitlines()]

    def write(self, name: str, files: str = "*.jsonl") -> None:
        self.tool.write(HERE / name, self.records(files))
