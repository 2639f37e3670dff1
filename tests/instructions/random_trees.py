"""`python -m tests.instructions.random_trees TOOL FIRST LAST`: compare the reader with a tool on random trees.

Each number is a tree of its own, always the same. The tool must be installed, as the README of its adapter says.
"""

from __future__ import annotations

import asyncio
import json
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import chdir, closing
from functools import partial
from itertools import chain, groupby
from random import Random

from loopspec import WorkspaceReading
from loopspec.contract.dialects import as_observed, dialect, instruction_axes, observed_dialect_names
from loopspec.contract.workspaces import Entry, Workspace
from loopspec.targets.python import PythonTarget
from loopspec.targets.resolve import resolve
from loopspec_instructions.dialects import reader_of
from loopspec_instructions.reader.reading import ReadingEndedError
from loopspec_instructions.reading import read_workspace
from loopspec_instructions.readings import Read
from loopspec_instructions.trees import Tree, asked, laid_out
from tools.workspace_tools import TOOLS, Tool

OTHERS = ("n.md", "docs/m.md", "a/k.md", "README", "data.toml", "pic.png", "my notes.md", "a/b/deep.md", "o.mdc")
# A mention, with the path at %s, and the blocks around mentions.
MENTIONS = (
    *("@%s", "@./%s", "**@%s**", "[@%s](x)", "`@%s`", "`x @%s y`", "<b>@%s</b>", "_@%s_", "(@%s)", "@%s#part", '"@%s"'),
    *("x@%s", "<!-- @%s -->", "\\@%s", "@%s.", "@%s,", "~~@%s~~", "![@%s](y)", "`c` @%s", "&amp; @%s", "see @%s on"),
)
BLOCKS = (
    *("%s", "%s", "%s", "Words %s and\nmore %s", "- one %s\n- two\n- %s", "1. a\n\n   %s\n\n2. %s", "> %s\n> more"),
    *("```\n%s\n```", "~~~ sh\n%s\n~~~", "    %s", "<div>\n%s\n</div>", "<!-- note %s\n more -->", "# %s", "***%s***"),
    *("| a | %s |\n|---|---|\n| %s | b |", "- x\n\n  ```\n  %s\n  ```\n- > %s", "<details>\n\n%s\n\n</details>"),
    *("Plain <!-- in --> words.", "One\\\ntwo *x*", "<!-- a --> %s", "Head %s\n==="),
)
PATTERNS = (
    *("**/CLAUDE.md", "**/AGENTS.md", "**/a/*", "**/project/{CLAUDE,AGENTS}.md", "**/.claude/**", "**/docs/m.md"),
    *("/none/**", "**/*.local.md", "project/CLAUDE.md", "**/[!C]*.md"),
)


class Shape:
    """What the trees of a dialect contain: the places of its files, and what else the tool looks at."""

    def __init__(self, name: str) -> None:
        known = dialect(name)
        axes, reader = instruction_axes(), reader_of(name)

        def of(axis: str) -> tuple[tuple[str, ...], ...]:
            found = axes[axis].values.get(known.value(axis))
            return found.groups if found else ()

        self.names = (*chain(*of("names")), *(("agents.md", "claude.MD") if reader.any_case else ()))
        self.has_families = known.value("selection") == "one-family-per-project"
        ends = [*zip(reader.rules_folders, reader.rule_endings, strict=True)] if reader.rules_folders else []
        self.rules = [f"{folder}/{rule}{end}" for folder, end in ends for rule in ("s", "t/u")]
        user_rules = [reader.user_rules or folder for folder, _ in ends[:1]]
        self.homes = [(f"home/{place}", 0.35) for place in chain(*of("global-file"))]
        self.homes += [(f"home/{folder}/g{reader.rule_endings[0]}", 0.1) for folder in user_rules]
        self.settings = [*chain(*of("exclusions"))]
        self.asks = known.value("import-outside") == "asks"
        fields = reader.rule_fields or ("paths",)
        self.fields = ["", *(f"{field}: {paths}\n" for field in fields for paths in ("src/**", "[a, b]"))]


def random_workspace(number: int, shape: Shape) -> Workspace:
    """The tree of a number."""
    chance = Random(number)
    root = chance.choice(["project", "project", "home/project"])
    folders = [root, f"{root}/a", f"{root}/a/b"]
    cwd = chance.choice(folders)
    paths = [f"{root}/{name}" for name in OTHERS if chance.random() < 0.7]
    paths += [name for name, likely in (("out.md", 0.5), ("home/h.md", 0.3)) if chance.random() < likely]
    family = "AGENTS" if chance.random() < 0.4 else "CLAUDE"
    for folder in ("", *folders):
        likely = {name: 0.28 if family in name or not shape.has_families else 0.05 for name in shape.names}
        paths += [posixpath.join(folder, name) for name in shape.names if chance.random() < likely[name]]
    if shape.rules:
        paths += [f"{each}/{chance.choice(shape.rules)}" for each in folders if chance.random() < 0.15]
    paths += [path for path, likely in shape.homes if chance.random() < likely]
    entries = {path: _entry(chance, path, paths, shape) for path in dict.fromkeys(paths)}
    if chance.random() < 0.15 and shape.settings:
        settings = f"{chance.choice(['home', cwd])}/{chance.choice(shape.settings)}"
        entries[settings] = Entry(text=json.dumps({"claudeMdExcludes": chance.sample(PATTERNS, 2)}))
    if chance.random() < 0.6:
        entries[f"{root}/.git"] = Entry(kind="repository")
        entries |= _worktree(root) if chance.random() < 0.15 else {}
    return Workspace(entries=entries, working_directory=cwd, agreed=chance.random() < 0.2 and shape.asks)


def _worktree(root: str) -> dict[str, Entry]:
    kept = f"{root}/.git/worktrees/a"
    files = {"HEAD": "ref: refs/heads/other\n", "commondir": "../..\n", "gitdir": "../../../a/.git\n"}
    named = {f"{kept}/{name}": Entry(text=text) for name, text in files.items()}
    return {f"{root}/a/.git": Entry(text="gitdir: ../.git/worktrees/a\n"), **named}


def _entry(chance: Random, path: str, paths: Sequence[str], shape: Shape) -> Entry:
    """A file, most often, and now and then something that a tool may stumble over."""
    folder = posixpath.dirname(path) or "."
    others = [posixpath.relpath(other, folder) for other in paths]
    what = chance.random()
    if what < 0.05:
        return Entry(text=chance.choice(["", "  \n\t\n", "<!-- nothing -->\n", "---\nname: x\n---\n"]))
    if what < 0.07:
        return Entry(kind="folder")
    if what < 0.16:
        return Entry(kind="link", target=chance.choice(others))  # also to itself
    if what < 0.18:
        return Entry(base64=b"bad \xff bytes\n")
    return Entry(text=_text(chance, path, [*others, "missing.md", "~/h.md", "docs", "#x"], shape.fields))


def _text(chance: Random, path: str, others: Sequence[str], fields: Sequence[str]) -> str:
    def mentions(block: str) -> str:
        while "%s" in block:
            mention = chance.choice(MENTIONS) % chance.choice(others).replace(" ", "\\ ").replace("%", "")
            block = block.replace("%s", mention, 1)
        return block

    blocks = [mentions(chance.choice(BLOCKS)) for _ in range(chance.randrange(1, 5))]
    text = "\n\n".join(["", *blocks]) + chance.choice(["\n", "", "\n\n"])
    field = chance.choice(fields)
    front_matter = f"---\nname: x\n{field}---\n" if chance.random() < 0.1 else ""
    text = f"{front_matter}I am {path}.{text}"
    text = text.replace("\n", "\r\n") if chance.random() < 0.08 else text
    return "\ufeff" + text if chance.random() < 0.05 else text


def files_in(reading: WorkspaceReading, tree: Tree) -> list[tuple[str, str]]:
    """The files of a reading in their order; the rules of a folder have no order."""
    found = [(tree.relative(one.path or ""), one.text) for one in reading.files]
    runs = ((is_rule, [*run]) for is_rule, run in groupby(found, lambda each: "rules/" in each[0]))
    return [each for is_rule, run in runs for each in (sorted(run) if is_rule else run)]


def whole_text(reading: WorkspaceReading, tool: Tool) -> str:
    """The text of a reading without what the tool says itself, for a tool that names no file."""
    text = "\n\n".join(one.text for one in reading.files)
    for separator in tool.separators:
        text = text.replace(separator, "\n\n")
    return re.sub(tool.own_words, r"\1", text) if tool.own_words else text


def _unless_ended(ends: type[Exception] | tuple[()], read: Read, tree: Tree) -> WorkspaceReading | None:
    """What is read of a tree; None for an error that ends the load."""
    try:
        return asyncio.run(asked(read, tree.working_directory, tree.home, [], tree.workspace.agreed))
    except ends:
        return None


def differing(numbers: Iterable[int], tool: Tool, read: Read, say: Callable[[str], object] = print) -> list[int]:
    """The numbers of the trees that the tool reads differently, with both readings said."""
    found = []
    name = as_observed(tool.name) if as_observed(tool.name) in observed_dialect_names() else tool.name
    shape = Shape(name)
    for number in numbers:
        workspace = random_workspace(number, shape)
        with laid_out(workspace) as tree:
            ours = _unless_ended(ReadingEndedError, partial(read_workspace, name), tree)
            theirs = _unless_ended(Exception if ours is None else (), read, tree)
            is_named = theirs is None or all(one.path for one in theirs.files)
            expected, seen = [
                one and (files_in(one, tree) if is_named else whole_text(one, tool)) for one in (ours, theirs)
            ]
        if seen != expected:
            found.append(number)
            say(f"tree {number}: the tool reads {seen!r}, and the reader {expected!r}, of {workspace}")
    return found


def main() -> None:
    name, first, last = sys.argv[1], *map(int, sys.argv[2:])
    tool = next(each for each in TOOLS if each.name == name)
    with chdir(tool.folder), closing(resolve(tool.target)) as target:
        assert isinstance(target, PythonTarget)
        wrong = differing(range(first, last), tool, target.shape.read_workspace)
    sys.stdout.write(f"{last - first - len(wrong)} of {last - first} trees are equal\n")


if __name__ == "__main__":
    main()
