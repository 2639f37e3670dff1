"""Lets the tools touch the files of the trees, and records which instruction files each touch attaches.

    python -m tests.instructions.touch.measure FOLDER TOOL…

FOLDER has a folder for each tool in which npm has installed the tool. Only the paths in the texts of our own trees are
recorded. opencode and Kilo search with a command `rg` on PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from loopspec_instructions.command_line.programs import NODE, end_group

from ..skills.trees import lay
from .scripted_model import Asked, scripted_model
from .trees import MARK, OWN, TREES, Tree

RECORDED = Path(__file__).with_name("recorded.json")
SECONDS = 150
Call = tuple[str, Mapping[str, object]]  # a tool and its arguments
Started = tuple[list[str], Mapping[str, str]]  # a command and its environment
# The name that takes the place of `OWN`.
OWN_NAMES = {"claude-code": "CLAUDE.md", "gemini-cli": "GEMINI.md", "qwen-code": "QWEN.md"}
_SHELL = {
    "claude-code": ("Bash", "command"),
    "codex": ("exec_command", "cmd"),
    "gemini-cli": ("run_shell_command", "command"),
}
_SHELL |= {"kilo": ("bash", "command"), "opencode": ("bash", "command"), "pi": ("bash", "command")}
_SHELL |= {"qwen-code": ("run_shell_command", "command")}


def claude(folder: Path, home: Path, address: str) -> Started:
    allowed = {"allow": ["Read", "Edit", "Write", "Bash", "Agent"]}
    _write(home / ".claude/settings.json", json.dumps({"permissions": allowed}))
    program = folder / "node_modules/@anthropic-ai/claude-code-linux-x64/claude"
    off = dict.fromkeys(("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER"), "1")
    command = [str(program), "-p", "script main.", "--no-session-persistence"]
    return command, {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "none", **off}


def codex(folder: Path, home: Path, address: str) -> Started:
    provider = f'[model_providers.mock]\nname = "mock"\nbase_url = "{address}/v1"\nwire_api = "responses"\n'
    free = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
    _write(home / ".codex/config.toml", f'model = "mock"\nmodel_provider = "mock"\n{free}{provider}')
    program = next(folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
    return [str(program), "exec", "--skip-git-repo-check", "script main."], {"CODEX_HOME": f"{home}/.codex"}


def gemini(folder: Path, home: Path, address: str) -> Started:
    key = {"auth": {"selectedType": "gemini-api-key"}}
    settings = {"security": key, "privacy": {"usageStatisticsEnabled": False}}
    _write(home / ".gemini/settings.json", json.dumps(settings))
    program = folder / "node_modules/@google/gemini-cli/bundle/gemini.js"
    command = [shutil.which("node") or "node", str(program), "--skip-trust", "-y", "-m", "gemini-2.5-flash"]
    own = {"GEMINI_CLI_HOME": str(home), "GEMINI_API_KEY": "none", "GEMINI_CLI_NO_RELAUNCH": "1"}
    return [*command, "-p", "script main."], {**own, "GOOGLE_GEMINI_BASE_URL": address}


def opencode(
    folder: Path, home: Path, address: str, variable: str = "OPENCODE", program: str = "opencode-linux-x64/bin/opencode"
) -> Started:
    options = {"baseURL": f"{address}/v1", "apiKey": "none"}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"mock": {"tool_call": True}}}
    off = dict.fromkeys(("autoupdate", "snapshot", "lsp", "formatter"), False)
    models = {"model": "mock/mock", "small_model": "mock/mock", "provider": {"mock": provider}}
    free = {"*": "allow", "external_directory": "allow"}
    own = home.parent / "own"
    environment = {
        f"{variable}_CONFIG_CONTENT": json.dumps({**models, "share": "disabled", "permission": free, **off}),
        **{f"{variable}_DISABLE_{name}": "1" for name in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")},
        **{f"XDG_{name}_HOME": f"{own}/{name}" for name in ("DATA", "CACHE", "STATE")},
    }
    return [str(folder / "node_modules" / program), "run", "--pure", "--title", "t", "script main."], environment


def pi(folder: Path, home: Path, address: str) -> Started:
    provider = {"baseUrl": f"{address}/v1", "apiKey": "none", "api": "openai-completions", "models": [{"id": "mock"}]}
    _write(home / ".pi/agent/models.json", json.dumps({"providers": {"mock": provider}}))
    program = folder / "node_modules/@earendil-works/pi-coding-agent/dist/cli.js"
    command = [str(folder / NODE), str(program), "--provider", "mock", "--model", "mock"]
    return [*command, "-p", "script main."], {"PI_OFFLINE": "1"}


def qwen(folder: Path, home: Path, address: str) -> Started:
    program = folder / "node_modules/@qwen-code/qwen-code/cli.js"
    own = {"OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": "none", "OPENAI_MODEL": "mock"}
    return [str(folder / NODE), str(program), "--auth-type", "openai", "-y", "-p", "script main."], own


# Tools that attach nothing, and the trees that show it.
ATTACH_NOTHING = ("codex", "pi", "qwen-code")
SOME = ("verbs", "names")
TOOLS: Mapping[str, Callable[[Path, Path, str], Started]] = {
    "claude-code": claude,
    "codex": codex,
    "gemini-cli": gemini,
    "kilo": partial(opencode, variable="KILO", program="@kilocode/cli-linux-x64/bin/kilo"),
    "opencode": opencode,
    "pi": pi,
    "qwen-code": qwen,
}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _call(tool: str, verb: str, path: str) -> Call:
    """The call of a tool's own tool for a touch; a command of the shell where there is none."""
    new = {"file_path": path, "old_string": "old", "new_string": "new"}
    calls: Mapping[str, Mapping[str, Call]] = {
        "claude-code": {
            "read": ("Read", {"file_path": path}),
            "edit": ("Write", {"file_path": path, "content": "new\n"}),
            "agent": ("Agent", {"description": "x", "prompt": "script sub.", "subagent_type": "general-purpose"}),
        },
        "gemini-cli": {
            "read": ("read_file", {"file_path": path}),
            "edit": ("write_file", {"file_path": path, "content": "new\n"}),
            "list": ("list_directory", {"dir_path": path}),
            "search": ("grep_search", {"pattern": "old", "dir_path": path}),
            "agent": ("invoke_agent", {"agent_name": "generalist", "prompt": "script sub."}),
        },
        "opencode": {
            "read": ("read", {"filePath": path}),
            "edit": ("write", {"filePath": path, "content": "new\n"}),
            "list": ("read", {"filePath": path}),
            "search": ("grep", {"pattern": "old", "path": path}),
            "agent": ("task", {"description": "x", "prompt": "script sub.", "subagent_type": "general"}),
        },
        "pi": {"read": ("read", {"path": path}), "edit": ("write", {"path": path, "content": "new\n"})},
        "qwen-code": {
            "read": ("read_file", {"file_path": path}),
            "edit": ("edit", new),
            "search": ("grep_search", {"pattern": "old", "path": path}),
        },
    }
    grep = "grep old" if path.endswith(".txt") else "grep -r old"
    commands = {"read": "cat", "print": "cat", "list": "ls", "search": grep, "edit": "sed -i s/old/new/"}
    name, parameter = _SHELL[tool]
    more = {"description": "x"} if tool == "claude-code" else {"is_background": False} if tool == "qwen-code" else {}
    shell = (name, {parameter: f"{commands.get(verb, 'true')} {path}", **more})
    return calls.get(tool.replace("kilo", "opencode"), {}).get(verb, shell)


def measured(tool: str, folder: Path, tree: Tree) -> dict[str, list[str]] | str:
    """What each touch attaches: the paths in the texts, in order. A text for a tool that does not end."""
    base = Path(tempfile.mkdtemp(prefix="loopspec-touch-")).resolve()
    try:
        lay(tree, base)
        names = [touch.replace(OWN, OWN_NAMES.get(tool, "AGENTS.md")) for touch in tree.touches]
        scripts: dict[str, list[Call]] = {"main": [], "sub": []}
        for touch in names:
            verb, _, path = touch.partition(":")
            of_sub = verb.startswith("sub-")
            scripts["sub" if of_sub else "main"].append(_call(tool, verb.removeprefix("sub-"), f"{base}/{path}"))
            scripts["main"] += [_call(tool, "agent", "")] if of_sub else []
        with scripted_model(scripts) as model:
            command, own = TOOLS[tool](folder, base / tree.home, model.address)
            environment = {"HOME": str(base / tree.home), "PATH": os.environ["PATH"], **own}
            nothing = subprocess.DEVNULL
            process = subprocess.Popen(
                command,
                cwd=base / tree.cwd,
                env=environment,
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
                start_new_session=True,
            )
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                return f"no end after {SECONDS} seconds"
            finally:
                end_group(process)
        return _attached(names, tree.touches, model.asked, base)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _attached(
    names: Sequence[str], touches: Sequence[str], asked: Sequence[Asked], base: Path
) -> dict[str, list[str]] | str:
    found: dict[str, list[str]] = {}
    done: Counter[str] = Counter()
    for name, touch in zip(names, touches, strict=True):
        script = "sub" if touch.startswith("sub-") else "main"
        done.update([script])
        before, after = (_marks(asked, script, calls) for calls in (done[script] - 1, done[script]))
        done.update(["main"] if script == "sub" else [])  # the call of the sub-agent
        if before is None or after is None:
            return f"no request after {touch}"
        left = Counter(before)
        new = [mark for mark in after if not left[mark] or left.subtract([mark])]
        read = name.partition(":")[2]
        if touch.endswith(OWN) and read in new:
            new.remove(read)  # the result of the reading
        found[touch] = new
    return found


def _marks(asked: Sequence[Asked], script: str, calls: int) -> list[str] | None:
    """The paths in the texts of the last request with so many calls."""
    for one in reversed(asked):
        if (one.script, one.calls) == (script, calls):
            return [mark for text in one.texts for mark in MARK.findall(text)]
    return None


def main() -> None:
    """Record what is missing. Several tools may be measured at once."""
    place, *tools = sys.argv[1:]
    for tool, name in [(tool, name) for tool in tools for name in TREES]:
        if name in _recorded().get(tool, {}) or (tool in ATTACH_NOTHING and name not in SOME):
            continue
        found = measured(tool, Path(place).resolve() / tool, TREES[name])
        if isinstance(found, str):
            sys.stderr.write(f"{tool}, {name}: {found}\n")
            continue
        recorded = _recorded()
        recorded.setdefault(tool, {})[name] = found
        lines = {one: {tree: of[tree] for tree in TREES if tree in of} for one, of in sorted(recorded.items())}
        unfinished = RECORDED.with_suffix(f".{tool}")
        unfinished.write_text(_as_lines(lines), encoding="utf-8")
        unfinished.replace(RECORDED)


def _recorded() -> dict[str, dict[str, object]]:
    return json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}


def _as_lines(recorded: Mapping[str, Mapping[str, object]]) -> str:
    """JSON with a line for each tree."""
    tools = []
    for tool, trees in recorded.items():
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in trees.items())
        tools.append(f"{json.dumps(tool)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(tools) + "\n}\n"


if __name__ == "__main__":
    main()
