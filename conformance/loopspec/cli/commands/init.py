"""`loopspec init`: write the files of a first adapter."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from ... import __version__
from ...contract.faults import UsageError
from ...contract.specification import kits_root
from ...engine.output import write_text

BASELINE = "loopspec-baseline.toml"
CI_JOB = "loopspec-ci.yml"

# The template of a CI job names the source of loopspec and the target in one place each.
_SOURCE, _TARGET = "@LOOPSPEC@", "@TARGET@"

# The path of the module that the Go kit belongs to in this repository. A written kit belongs to the adapter's module.
_GO_KIT = "loopspec/kits/go"


@dataclass(frozen=True)
class Beginning:
    """The files of a language, and the command to try them. `unless_above`: a file that a parent folder may provide.

    `placeholder` is what the adapter connects until its author replaces it. `kit`: the files are those of a kit.
    `target` is the target that the CI job judges, where its template leaves that open.
    """

    files: tuple[str, ...]
    trying: str
    unless_above: str = ""
    placeholder: str = ""
    kit: bool = False
    target: str = ""


def _in_python(module: str, placeholder: str = "") -> Beginning:
    target = f"py:{module}:Adapter"
    return Beginning((f"{module}.py",), f"loopspec run {target}", placeholder=placeholder, target=target)


BEGINNINGS = {
    "py": _in_python("loopspec_adapter"),
    "go": Beginning(
        ("go.mod", "main.go", "rpc.go", "loader.go"),
        'go build -o loopspec-adapter . && loopspec run cmd:"./loopspec-adapter"',
        unless_above="go.mod",
        placeholder="loader",
    ),
    "node": Beginning(("adapter.mjs", "loader.mjs"), 'loopspec run cmd:"node adapter.mjs"', placeholder="loader"),
}


def _kit_files(language: str) -> tuple[str, ...]:
    """The files of a kit, without the tests of the kit, which Go keeps next to the sources."""
    folder = kits_root() / language
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith("_test.go")]
    return tuple(path.relative_to(folder).as_posix() for path in paths)


# The agent adapters, each with a loop of a page. Those in Go and Node have a kit.
AGENTS = {
    "py": _in_python("loopspec_agent", "loop"),
    "go": Beginning(_kit_files("go"), BEGINNINGS["go"].trying, unless_above="go.mod", placeholder="loop", kit=True),
    "node": Beginning(_kit_files("node"), 'loopspec run cmd:"node adapter.mjs"', placeholder="loop", kit=True),
}

# The readers of instruction files, by language. Another language serves the method `workspace/read` of the protocol.
READERS = {"py": _in_python("loopspec_workspace")}

# The adapters of a backend alone, by language.
BACKENDS = {"py": _in_python("loopspec_backend")}

# What to do in a language without a template for the role.
_INSTEAD = {
    "backend": "`--role agent` writes a kit that also serves stores, and the kit's README has an adapter of one",
    "workspace": "serve the method workspace/read of the protocol, which `loopspec protocol --page` explains",
}


def init(args: argparse.Namespace) -> int:
    """Write an adapter that runs unchanged, a baseline and a CI job. No existing file is changed."""
    folder: Path = args.folder
    beginnings = {"agent": AGENTS, "workspace": READERS, "backend": BACKENDS}.get(args.role, BEGINNINGS)
    if args.language not in beginnings:
        raise UsageError(f"there is no template in {args.language} for the role {args.role}: {_INSTEAD[args.role]}")
    beginning = beginnings[args.language]
    names = [name for name in beginning.files if name != beginning.unless_above or not _is_above(name, folder)]
    names += [BASELINE, CI_JOB]
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already: nothing was written")
    if args.language == "go" and any(folder.glob("*.go")):
        raise UsageError(f"there is a Go package in {folder} already: name another folder; nothing was written")
    _create(folder)
    source, module = _requirement(), _go_module(folder)
    templates = resources.files("loopspec.cli") / "templates"
    for name in names:
        template = templates / name if name == BASELINE else templates / args.language / name
        if beginning.kit and name in beginning.files:
            template = kits_root() / args.language / name
            _create((folder / name).parent)
        text = template.read_text(encoding="utf-8")
        for mark, value in ((_SOURCE, source), (_TARGET, beginning.target), (_GO_KIT, module)):
            text = text.replace(mark, value)
        write_text(folder / name, text)
        print(f"wrote {folder / name}")
    if beginning.placeholder:
        print(f"the {beginning.placeholder} is a placeholder: some rules fail until you replace it")
    if not source:
        print(f"for CI: name in {folder / CI_JOB}, at LOOPSPEC, where pip installs loopspec from")
    there = "" if folder == Path() else f"cd {folder} && "
    print(f"now: {there}{beginning.trying} --baseline {BASELINE}")
    return 0


def _create(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {folder} cannot be created: {error.strerror}") from None


def _requirement() -> str:
    """The requirement with which pip installs this loopspec: a release, a repository, or empty for a local source.

    An installer records the source of a distribution that is not from an index, as PEP 610 specifies.
    """
    try:
        text = metadata.distribution("loopspec").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return ""
    if text is None:
        return f"loopspec=={__version__}"
    origin = json.loads(text)
    if vcs := origin.get("vcs_info"):
        return f"loopspec @ {vcs['vcs']}+{origin['url']}@{vcs['commit_id']}"
    return f"loopspec @ {origin['url']}" if origin["url"].startswith("https:") else ""


def _is_above(name: str, folder: Path) -> bool:
    """Whether the folder, or a parent, has a file of this name: a module that contains the adapter."""
    return _above(name, folder) is not None


def _above(name: str, folder: Path) -> Path | None:
    """The nearest folder with a file of this name, from a folder upwards."""
    here = folder.resolve()
    return next((one for one in (here, *here.parents) if (one / name).is_file()), None)


def _go_module(folder: Path) -> str:
    """The path with which Go imports the folder: in an existing module, or as a module of its own."""
    root = _above("go.mod", folder)
    named = root and re.search(r'^module\s+"?([^\s"]+)', (root / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    if root is None or not named:
        return "loopspec-adapter"
    return "/".join([named[1], *folder.resolve().relative_to(root).parts])
