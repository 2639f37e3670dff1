"""The tools with an adapter of the role workspace, each with its record and its baseline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.specification.features import compiled

from .pages import ADAPTERS

# gemini-cli and qwen-code write a comment with an error of Node in place of an import.
_IMPORT_FAILED = r"(?<=<!-- Import failed: )(.*?) - .*?(?= -->)"

# copilot-cli writes the path of an imported file, with the folder of the workspace.
_IMPORTED_FROM = r'(<imported_custom_instruction source=")[^"]*/loopspec-workspace-[^/]*'


@dataclass(frozen=True)
class Tool:
    """A tool with an adapter. `target` is its target string in the folder of the adapter.

    `slow`: the record may lack the workspaces that no rule of the dialect judges. `describes`: the dialect is that of
    the installed version of the tool. `separators` are what the tool writes between two files, without naming them, and
    `own_words` is a pattern of what the tool says about a failure, in the text that the model receives.
    """

    name: str
    folder: Path
    target: str
    baseline_name: str = "baseline.toml"
    record_name: str = "workspaces.jsonl"
    slow: bool = False
    describes: bool = True
    separators: tuple[str, ...] = ()
    own_words: str = ""

    @property
    def record(self) -> Path:
        """The record."""
        return self.folder / self.record_name

    @property
    def baseline(self) -> Baseline:
        """The known differences of the tool from its own document."""
        return load_baseline(self.folder / self.baseline_name, compiled())


TOOLS = (
    Tool(
        "codex",
        ADAPTERS / "codex",
        "py:codex_adapter:Codex",
        separators=("\n\n--- project-doc ---\n\n", "\n\n"),
    ),
    Tool("agents-doctor", ADAPTERS / "agents_doctor", "py:agents_doctor_adapter:AgentsDoctor", describes=False),
    Tool("pi", ADAPTERS / "pi", "py:pi_adapter:Pi"),
    Tool(
        "old-pi", ADAPTERS / "pi", "py:pi_adapter:OldPi", "old_baseline.toml", "old_workspaces.jsonl", describes=False
    ),
    Tool("kimi-cli", ADAPTERS / "kimi_cli", "py:kimi_cli_adapter:KimiCli"),
    Tool("deepagents", ADAPTERS / "deepagents", "py:memory_adapter:Memory", "memory.toml"),
    Tool(
        "gemini-cli",
        ADAPTERS / "gemini_cli",
        "py:gemini_cli_workspace:GeminiCliWorkspace",
        "workspace_baseline.toml",
        own_words=_IMPORT_FAILED,
    ),
    Tool(
        "qwen-code",
        ADAPTERS / "qwen_code",
        "py:qwen_code_workspace:QwenCodeWorkspace",
        slow=True,
        own_words=_IMPORT_FAILED,
    ),
    Tool("claude-code", ADAPTERS / "claude_code", "py:claude_code_workspace:ClaudeCodeWorkspace"),
    Tool(
        "continue-cli",
        ADAPTERS / "continue_cli",
        "py:continue_cli_workspace:ContinueCliWorkspace",
        slow=True,
        separators=("\n\n",),
    ),
    Tool(
        "copilot-cli",
        ADAPTERS / "copilot_cli",
        "py:copilot_cli_workspace:CopilotCliWorkspace",
        slow=True,
        separators=("\n\n",),
        own_words=_IMPORTED_FROM,
    ),
    Tool("opencode", ADAPTERS / "opencode", "py:opencode_workspace:OpencodeWorkspace", slow=True),
    Tool(
        "kilo", ADAPTERS / "opencode", "py:opencode_workspace:KiloWorkspace", "kilo.toml", "kilo_workspaces.jsonl", True
    ),
    Tool("pydantic-ai-harness", ADAPTERS / "pydantic_ai_harness", "py:repo_context_adapter:Context"),
)
