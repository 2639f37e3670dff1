"""What tools read from the workspaces of all cases: `python -m tests.workspace_records [TOOL …] [--all]`.

The command needs the tools. It performs each scene of the role workspace on a tool, and writes the observations into
the folder of the tool's adapter. A scene that the record has already is not performed again, except with `--all`, and
for another version of the tool. Without the tools, the current features and baselines judge the records.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.axes import Posture, dialect_of
from loopspec.contract.dialects import dialect
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.target import Identity, Target
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.judge import look, role_for
from loopspec.engine.output import write_text
from loopspec.engine.perform import perform
from loopspec.engine.result import Result
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.absent import AbsentTarget
from loopspec.targets.resolve import resolve

ADAPTERS = Path(__file__).parents[1] / "conformance" / "adapters"
DEADLINE = 180.0  # seconds: a start of qwen-code or opencode takes ten, and a scene can block a tool
_LONG = 5_000  # bytes of an Observation: beyond, the record has it compressed
_BASE = re.compile(rb"/[^ \"'\\]*/loopspec-workspace-\w+")  # the folder of a workspace, in the message of a tool


class Stale(Exception):
    """Raised for a record without an observation of a current scene."""


class Asked(Struct, frozen=True, kw_only=True):
    """The first line: the tool and its dialect."""

    identity: Identity
    dialect: str


class Seen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Any other line: the observation of one scene. `scene` is a digest, and `case` the first case with the scene."""

    case: str
    scene: str
    observation: Observation | None = None
    compressed: bytes = b""

    @property
    def seen(self) -> Observation:
        """The observation."""
        if self.observation is not None:
            return self.observation
        return msgspec.json.decode(zlib.decompress(self.compressed), type=Observation)


@dataclass(frozen=True)
class Tool:
    """A tool with an adapter. `target` is its target string in the folder of the adapter.

    `slow`: only the scenes are performed that a rule of the dialect judges. `describes`: the dialect is that of the
    installed version of the tool. `separators` are what the tool writes between two files, without naming them, and
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
        own_words=r"(?<=<!-- Import failed: )(.*?) - .*?(?= -->)",
    ),
    Tool("qwen-code", ADAPTERS / "qwen_code", "py:qwen_code_workspace:QwenCodeWorkspace"),
    Tool("opencode", ADAPTERS / "opencode", "py:opencode_workspace:OpencodeWorkspace"),
)


@dataclass(frozen=True)
class Record:
    """The observations of one tool by the digests of their scenes."""

    asked: Asked
    seen: dict[str, Seen]

    @property
    def target(self) -> AbsentTarget:
        """The declarations of the tool, in its dialect."""
        source = dialect(self.asked.dialect).documents[0]
        postures = {"dialect": Posture(self.asked.dialect, link=source)}
        return AbsentTarget(self.asked.identity, ["workspace"], [], postures)

    def observation(self, case: Case) -> Observation:
        """The observation of a case. Raises `Stale`."""
        seen = self.seen.get(digest(case, self.target))
        if seen is None:
            raise Stale(
                f"{self.asked.identity.name} has not read the workspace of {case.id!r} as it is now: "
                f"install it as its README says, and run `python -m tests.workspace_records`"
            )
        return seen.seen

    def results(self) -> list[Result]:
        """The results of the cases that the rules of the dialect judge. Raises `Stale`."""
        return [look(case, self.observation(case)) for case in judged_cases(self.target)]


def workspace_cases(target: Target) -> Iterator[Case]:
    """The cases whose workspace can have the names of the target's dialect, also those that presuppose another one."""
    for case in compiled():
        workspace = case.scene.workspace
        if workspace is not None and not dialect_of(target.postures).lacks(workspace):
            yield case


def judged_cases(target: Target) -> Iterator[Case]:
    """The cases of the role workspace that are applicable to a target."""
    return (case for case in workspace_cases(target) if role_for(case, target)[0] is not None)


def digest(case: Case, target: Target) -> str:
    """The digest of a workspace with the names of the target's dialect."""
    return hashlib.sha256(msgspec.json.encode(scene_in_dialect(case, target).workspace)).hexdigest()[:16]


def scene_in_dialect(case: Case, target: Target) -> Scene:
    """The scene of a case with the file names of the target's dialect."""
    assert case.scene.workspace is not None, "a workspace scene has a workspace"
    return replace(case.scene, workspace=dialect_of(target.postures).applied_to(case.scene.workspace))


def read_record(path: Path) -> Record:
    """Read a record."""
    first, *lines = path.read_bytes().splitlines()
    seen = [msgspec.json.decode(line, type=Seen) for line in lines]
    return Record(msgspec.json.decode(first, type=Asked), {each.scene: each for each in seen})


def ask(tool: Tool, target_string: str = "", *, again: bool = False) -> None:
    """Perform the scenes on a tool that its record lacks, and write each observation; `again`: all scenes.

    `target_string` is another one for the same adapter, for example in another environment.
    """
    with chdir(tool.folder):
        target = resolve(target_string or tool.target)
        try:
            asked = Asked(identity=target.identity, dialect=target.postures["dialect"].value)
            before = {} if again else _usable(tool, asked)
            seen: dict[str, Seen] = {}
            for case in judged_cases(target) if tool.slow else workspace_cases(target):
                scene = digest(case, target)
                if scene in seen:
                    continue
                if scene in before:
                    seen[scene] = replace(before[scene], case=case.id)
                else:
                    seen[scene] = _line(case, scene, perform(target, case.scene, "workspace", DEADLINE))
                    _write(tool, asked, {**before, **seen})  # a tool that fails later loses nothing
            _write(tool, asked, seen)
        finally:
            target.close()


def _write(tool: Tool, asked: Asked, seen: Mapping[str, Seen]) -> None:
    lines = [asked, *seen.values()]
    write_text(tool.record, "".join(msgspec.json.encode(line).decode() + "\n" for line in lines))


def _usable(tool: Tool, asked: Asked) -> dict[str, Seen]:
    """The lines of the present record, if it is of the same version."""
    if not tool.record.exists():
        return {}
    record = read_record(tool.record)
    return record.seen if record.asked == asked else {}


def _line(case: Case, scene: str, observation: Observation) -> Seen:
    encoded = _BASE.sub(b"{base}", msgspec.json.encode(observation))
    observation = msgspec.json.decode(encoded, type=Observation)
    if len(encoded) < _LONG:
        return Seen(case=case.id, scene=scene, observation=observation)
    return Seen(case=case.id, scene=scene, compressed=zlib.compress(encoded, 9))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the records."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.workspace_records", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(tool.name for tool in TOOLS)}")
    parser.add_argument("--all", action="store_true", help="perform each scene again")
    parser.add_argument("--target", default="", help="the target string, for a tool in another environment")
    args = parser.parse_args(arguments)
    for tool in TOOLS:
        if tool.name in (args.tools or [tool.name for tool in TOOLS]):
            ask(tool, args.target, again=args.all)


if __name__ == "__main__":
    main()
