"""`loopspec init`: write the files of a first adapter."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from ... import __version__
from ...contract.faults import UsageError
from ...engine.output import write_text

BASELINE = "loopspec-baseline.toml"
CI_JOB = "loopspec-ci.yml"

# The template of a CI job names the source of loopspec and the target in one place each.
_SOURCE, _TARGET = "@LOOPSPEC@", "@TARGET@"


@dataclass(frozen=True)
class Beginning:
    """The files of a language, and the command to try them. `unless_above`: a file that a parent folder may provide.

    `target` is the target that the CI job judges, where its template leaves that open.
    """

    files: tuple[str, ...]
    trying: str
    unless_above: str = ""
    target: str = ""


def _in_python(module: str) -> Beginning:
    target = f"py:{module}:Adapter"
    return Beginning((f"{module}.py",), f"loopspec run {target}", target=target)


# By language, and by role where `--role` chooses one.
BEGINNINGS = {
    "py": _in_python("loopspec_adapter"),
    "py agent": _in_python("loopspec_agent"),
    "go": Beginning(
        ("go.mod", "main.go", "rpc.go", "loader.go"),
        'go build -o loopspec-adapter . && loopspec run cmd:"./loopspec-adapter"',
        unless_above="go.mod",
    ),
    "node": Beginning(("adapter.mjs", "loader.mjs"), 'loopspec run cmd:"node adapter.mjs"'),
}


def init(args: argparse.Namespace) -> int:
    """Write an adapter that runs unchanged, a baseline and a CI job. No existing file is changed."""
    folder: Path = args.folder
    beginning = BEGINNINGS.get(f"{args.language} {args.role}" if args.role else args.language)
    if beginning is None:
        raise UsageError(f"there is no template in {args.language} for the role {args.role}: leave --role out")
    names = [name for name in beginning.files if name != beginning.unless_above or not _is_above(name, folder)]
    names += [BASELINE, CI_JOB]
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already: nothing was written")
    if args.language == "go" and any(folder.glob("*.go")):
        raise UsageError(f"there is a Go package in {folder} already: name another folder; nothing was written")
    _create(folder)
    source = _requirement()
    templates = resources.files("loopspec.cli") / "templates"
    for name in names:
        template = templates / name if name == BASELINE else templates / args.language / name
        text = template.read_text(encoding="utf-8").replace(_SOURCE, source).replace(_TARGET, beginning.target)
        write_text(folder / name, text)
        print(f"wrote {folder / name}")
    if args.language != "py":
        print("the loader is a placeholder: some rules fail until you replace it")
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
    here = folder.resolve()
    return any((one / name).is_file() for one in (here, *here.parents))
