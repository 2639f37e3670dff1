"""`loopspec init`: write the files of a first adapter."""

from __future__ import annotations

import argparse
import json
import re
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

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


class Beginning(NamedTuple):
    """The files of an adapter, and the command to try them; without files, they are those of the language's kit.

    `placeholder` is what the adapter connects until its author replaces it. `target` is the target that the CI job
    judges, where its template leaves that open.
    """

    files: tuple[str, ...]
    trying: str
    placeholder: str = ""
    target: str = ""


def _in_python(module: str, placeholder: str = "") -> Beginning:
    target = f"py:{module}:Adapter"
    return Beginning((f"{module}.py",), f"loopspec run {target}", placeholder, target)


_IN_GO = 'go build -o loopspec-adapter . && loopspec run cmd:"./loopspec-adapter"'
_IN_NODE = 'loopspec run cmd:"node adapter.mjs"'

# By role and language. Each agent has a loop of a page.
BEGINNINGS = {
    ("loader", "py"): _in_python("loopspec_adapter"),
    ("loader", "go"): Beginning(("go.mod", "main.go", "rpc.go", "loader.go"), _IN_GO, "loader"),
    ("loader", "node"): Beginning(("adapter.mjs", "loader.mjs"), _IN_NODE, "loader"),
    ("agent", "py"): _in_python("loopspec_agent", "loop"),
    ("agent", "go"): Beginning((), _IN_GO, "loop"),
    ("agent", "node"): Beginning((), _IN_NODE, "loop"),
    ("workspace", "py"): _in_python("loopspec_workspace"),
    ("backend", "py"): _in_python("loopspec_backend"),
}
# What to do in a language without a template for the role.
_INSTEAD = {
    "backend": "`--role agent` writes a kit that also serves stores, and the kit's README has an adapter of one",
    "workspace": "serve the method workspace/read of the protocol, which `loopspec protocol --page` explains",
}


def init(args: argparse.Namespace) -> int:
    """Write an adapter that runs unchanged, a baseline and a CI job. No existing file is changed."""
    folder, language = args.folder, args.language
    if (args.role, language) not in BEGINNINGS:
        raise UsageError(f"there is no template in {language} for the role {args.role}: {_INSTEAD[args.role]}")
    beginning = BEGINNINGS[args.role, language]
    templates = resources.files("loopspec.cli") / "templates"
    files = {name: templates / language / name for name in beginning.files} or _kit_files(language)
    if _above("go.mod", folder):  # the adapter belongs to the module
        files.pop("go.mod", None)
    files |= {BASELINE: templates / BASELINE, CI_JOB: templates / language / CI_JOB}
    for name in files:
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already: nothing was written")
    if language == "go" and any(folder.glob("*.go")):
        raise UsageError(f"there is a Go package in {folder} already: name another folder; nothing was written")
    _create(folder)
    source, module = _requirement(), _go_module(folder)
    for name, template in files.items():
        text = template.read_text(encoding="utf-8")
        for mark, value in ((_SOURCE, source), (_TARGET, beginning.target), (_GO_KIT, module)):
            text = text.replace(mark, value)
        _create((folder / name).parent)
        write_text(folder / name, text)
        print(f"wrote {folder / name}")
    if beginning.placeholder:
        print(f"the {beginning.placeholder} is a placeholder: some rules fail until you replace it")
    if not source:
        print(f"for CI: name in {folder / CI_JOB}, at LOOPSPEC, where pip installs loopspec from")
    there = "" if folder == Path() else f"cd {folder} && "
    print(f"now: {there}{beginning.trying} --baseline {BASELINE}")
    return 0


def _kit_files(language: str) -> dict[str, Traversable]:
    """The files of a kit, without the tests of the kit, which Go keeps next to the sources."""
    folder = kits_root() / language
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith("_test.go"))
    return {path.relative_to(folder).as_posix(): path for path in paths}


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
