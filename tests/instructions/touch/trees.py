"""Folder trees with nested instruction files, each with touches. `measure.py` lets the tools make them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..skills.trees import GIT, Node

OWN = "(own)"  # stands for the usual name of a tool's instruction files
MARK = re.compile(r"Text of \[(.*?)\]")
_NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md")


class Tree(NamedTuple):
    """Files by their paths, and the touches in order, such as "read:p/a/x.txt": "sub-" begins those of a sub-agent."""

    files: Mapping[str, Node]
    touches: Sequence[str]
    cwd: str = "p"
    home: str = "home"


def text(path: str, after: str = "") -> str:
    """The text of an instruction file: the path in it says whether a model has received the text."""
    return f"Text of [{path}]\n{after}"


def _files(*paths: str) -> dict[str, Node]:
    return {path: text(path) for path in paths}


def _folders(*folders: str) -> dict[str, Node]:
    """Folders of which each has a file to touch, and an instruction file for each tool."""
    at = [f"{folder}/" if folder else "" for folder in folders]
    return {**_files(*(f"{each}{name}" for each in at for name in _NAMES)), **{f"{each}x.txt": "old\n" for each in at}}


def _plain(*folders: str) -> dict[str, Node]:
    """Folders of which each has a file to touch."""
    return {f"{folder}/x.txt": "old\n" for folder in folders}


def _large(folder: str, line: str, count: int) -> dict[str, Node]:
    paths = [f"{folder}/{name}" for name in _NAMES]
    return {path: text(path, line * count + text(f"end of {path}")) for path in paths}


def _random(seed: int) -> Tree:
    """Some of the folders have instruction files; some of them are links."""
    rng = random.Random(seed)
    folders = ("p", "p/a", "p/a/b", "p/a/b/c", "p/d", "p/d/e", "q", "q/r")
    files: dict[str, Node] = {**_plain(*folders)}
    for folder in folders:
        files.update(_files(*(f"{folder}/{name}" for name in _NAMES if rng.random() < 0.6)))
    files.update(
        {"p/l": Path(rng.choice(["a/b", "d", "../q"])), "p/a/m": Path(rng.choice(["b", "../d/e", "../../q/r"]))}
    )
    paths = [*folders, "p/l", "p/a/m", "p/a/b/../../d", "p/d/../a"]
    verbs = ("read", "read", "read", "print", "list", "search", "edit")
    touches = [_touch(rng.choice(verbs), rng.choice(paths)) for _ in range(8)]
    return Tree(files, list(dict.fromkeys(touches)), rng.choice(["p", "p", "p/a"]))


def _touch(verb: str, folder: str) -> str:
    return f"{verb}:{folder}" if verb == "list" else f"{verb}:{folder}/x.txt"


TREES: Mapping[str, Tree] = {
    "verbs": Tree(
        _folders("p/r", "p/e", "p/l", "p/f", "p/g", "p/c"),
        [
            "list:p/l",
            "search:p/f",
            "search:p/g/x.txt",
            "print:p/c/x.txt",
            "edit:p/e/x.txt",
            "read:p/r/x.txt",
            "edit:p/r/x.txt",
        ],
    ),
    "folders": Tree(
        _folders("", "p", "p/s", "p/s/a", "p/s/a/b", "p/t", "q", "home"),
        [f"read:{each}/x.txt" for each in ("p/s/a/b", "p/s/a", "p/t", "q", "home", "p", "p/s")],
        "p/s",
    ),
    "step by step": Tree(
        _folders("p/s", "p/s/a", "p/s/a/b"), [f"read:p/{each}/x.txt" for each in ("s/a", "s/a/b", "s", "s/a")]
    ),
    "dots": Tree(_folders("p/t", "p/s", "p/s/a"), ["read:p/t/../s/a/x.txt", "read:p/s/a/../../t/x.txt"]),
    "links": Tree(
        {
            **_folders("p/s", "p/s/a", "p/t", "p/u", "q", "q/r"),
            "p/l": Path("s/a"),
            "p/u/f.txt": Path("../t/x.txt"),
            "p/out": Path("../q"),
        },
        ["read:p/l/x.txt", "read:p/u/f.txt", "read:p/out/r/x.txt"],
    ),
    "the instruction file itself": Tree(_folders("p/s", "p/s/a"), [f"read:p/s/a/{OWN}", "read:p/s/a/x.txt"]),
    "what does not exist": Tree(_folders("p/s", "p/t"), ["read:p/s/none.txt", "read:p/s/x.txt", "edit:p/t/new.txt"]),
    "texts": Tree(
        {
            **_plain("p/s"),
            **_files("p/s/one.md", "p/s/two.md"),
            **{f"p/s/{name}": text(name, f"@./one.md\n<!-- {text('comment')} -->\n@two.md\n") for name in _NAMES},
        },
        ["read:p/s/x.txt"],
    ),
    "names": Tree(
        {
            **_plain("p/a", "p/b", "p/c", "p/d", "p/e"),
            **_files("p/a/AGENTS.md", "p/b/CLAUDE.md", "p/b/AGENTS.md", "p/c/CONTEXT.md"),
            **_files("p/d/.claude/CLAUDE.md", "p/d/CLAUDE.local.md", "p/d/AGENTS.md", "p/e/.claude/AGENTS.md"),
        },
        [f"read:p/{each}/x.txt" for each in "abcde"],
    ),
    "other names below": Tree(
        {**_plain("p/a/b", "p/c/d"), **_files("p/a/AGENTS.md", "p/a/b/CLAUDE.md", "p/c/CLAUDE.md", "p/c/d/AGENTS.md")},
        ["read:p/a/b/x.txt", "read:p/c/d/x.txt"],
    ),
    "another name at the start": Tree(
        {**_plain("p/s", "p/t"), **_files("p/CLAUDE.md", "p/s/AGENTS.md", "p/t/CLAUDE.md")},
        ["read:p/s/x.txt", "read:p/t/x.txt"],
    ),
    "AGENTS.md alone": Tree(
        {
            **_plain("p/a", "p/b", "p/c", "q"),
            **_files("p/a/AGENTS.md", "p/b/AGENTS.md", "p/c/AGENTS.md", "q/AGENTS.md"),
            "p/out": Path("../q"),
        },
        ["edit:p/a/x.txt", "print:p/b/x.txt", "read:p/c/none.txt", "read:p/out/x.txt", "read:p/a/x.txt"],
    ),
    "linked instruction files": Tree(
        {
            **_plain("p/s", "p/t", "p/v"),
            **_files(*(f"p/t/{name}" for name in _NAMES), *(f"q/{name}" for name in _NAMES)),
            **{f"p/s/{name}": Path(f"../t/{name}") for name in _NAMES},
            **{f"p/v/{name}": Path(f"../../q/{name}") for name in _NAMES},
        },
        ["read:p/s/x.txt", "read:p/t/x.txt", "read:p/v/x.txt"],
    ),
    "rules": Tree(
        {
            **_plain("p/s", "p/t"),
            **_files("p/s/.claude/rules/r.md", "p/s/AGENTS.md", "p/t/.claude/rules/r.md", "p/t/CLAUDE.local.md"),
            **_files("p/t/CLAUDE.md", "p/t/AGENTS.md"),
        },
        ["read:p/s/x.txt", "read:p/t/x.txt"],
    ),
    "a sub-agent first": Tree(_folders("p/s", "p/t"), ["sub-read:p/s/x.txt", "read:p/s/x.txt"]),
    "a sub-agent later": Tree(_folders("p/s"), ["read:p/s/x.txt", "sub-read:p/s/x.txt"]),
    "large files": Tree(
        {
            **_plain("p/s", "p/t", "p/u/a"),
            **_large("p/s", "x\n", 4_000),
            **_large("p/t", "x" * 999 + "\n", 400),
            **_large("p/u", "x" * 999 + "\n", 120),
            **_large("p/u/a", "x" * 999 + "\n", 120),
        },
        ["read:p/s/x.txt", "read:p/t/x.txt", "read:p/u/a/x.txt"],
    ),
    **{f"random {seed}": _random(seed) for seed in range(12)},
}
TREES = {name: Tree({**GIT, **tree.files}, *tree[1:]) for name, tree in TREES.items()}
