"""Folder trees with skills: one for each topic, and random ones. `measure.py` lets the tools read them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

Node: TypeAlias = str | bytes | Path | None  # a text, bytes, a link, or an empty folder


class Tree(NamedTuple):
    """The files by their paths, with the working directory and the home folder."""

    files: Mapping[str, Node]
    cwd: str = "p"
    home: str = "home"


GIT: Mapping[str, Node] = {
    "p/.git/HEAD": "ref: refs/heads/main\n",
    "p/.git/objects": None,
    "p/.git/refs": None,
    "p/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
}
PROJECT = (".agents", ".claude", ".codex", ".gemini", ".kimi", ".opencode", ".pi", ".qwen")
USER = (*PROJECT[:-2], ".config/agents", ".config/opencode", ".pi", ".pi/agent", ".qwen")
KILO = (".kilo", ".kilocode", ".claude", ".agents")
KILO_USER = (*KILO, ".config/kilo")
_AGENTS = "p/.agents/skills"


def skill(name: str | None, description: str | None = "D", **more: str) -> str:
    """The text of a SKILL.md."""
    fields = {"name": name, "description": description, **more}
    lines = [f"{key.replace('_', '-')}: {value}" for key, value in fields.items() if value is not None]
    return "\n".join(["---", *lines, "---", "Body.", ""])


def _places() -> Tree:
    folders = {"": "above", "p/": "root", "p/a/": "middle", "p/a/b/": "cwd", "p/a/b/c/": "below"}
    singular = {"p/a/b/.opencode/skill/single": "single", "p/a/b/skills/plain": "plain"}
    return Tree({**GIT, **_skills({**_of_tools(folders), **singular})}, "p/a/b")


def _of_tools(folders: Mapping[str, str]) -> dict[str, str]:
    """The names of skills of all tools, by the folder of the skill; each has the word for the place in its name."""
    names = {f"{at}{tool}": f"{word}-{tool[1:]}" for at, word in folders.items() for tool in PROJECT}
    return {f"{at}/skills/{name}": name for at, name in names.items()}


def _skills(names: Mapping[str, str]) -> dict[str, Node]:
    """A skill in each folder, by the names; the description is the path."""
    return {f"{folder}/SKILL.md": skill(name, f"In {folder}") for folder, name in names.items()}


def _shapes() -> Tree:
    folders = ("one", "two/deep", "three/x/y", "l1/l2/l3/l4/l5/l6", "m1/m2/m3/m4/m5/m6/m7", "one/nested", ".hidden")
    names = {
        f"{_AGENTS}/{folder}": folder.rpartition("/")[2].strip(".") for folder in (*folders, "node_modules/module")
    }
    odd: dict[str, Node] = {
        f"{_AGENTS}/flat.md": skill("flat"),
        f"{_AGENTS}/two/other.md": skill("other"),
        f"{_AGENTS}/two/plain.md": "# No skill\n",
        f"{_AGENTS}/lower/skill.md": skill("lower"),
        "elsewhere/linked/SKILL.md": skill("linked"),
        f"{_AGENTS}/linked": Path("../../../elsewhere/linked"),
        "elsewhere/file.md": skill("linked-file"),
        f"{_AGENTS}/linked-file/SKILL.md": Path("../../../../elsewhere/file.md"),
        f"{_AGENTS}/folder/SKILL.md": None,
        f"{_AGENTS}/loop": Path("loop"),
    }
    return Tree({**GIT, **_skills(names), **odd})


FRONT: Mapping[str, str | bytes] = {
    "no-front": "# Title\n\nText.\n",
    "no-fields": "---\n---\nText.\n",
    "unclosed": "---\nname: unclosed\ndescription: D\nText.\n",
    "colon": "---\nname: colon\ndescription: Use when: asked\n---\nB\n",
    "broken": "---\nname: [broken\ndescription: D\n---\nB\n",
    "broken-description": "---\nname: broken-description\ndescription: [D\n---\nB\n",
    "list": "---\n- a\n- b\n---\nB\n",
    "no-description": skill("no-description", None),
    "empty-description": skill("empty-description", '""'),
    "blank-description": skill("blank-description", '"  "'),
    "long-description": skill("long-description", "d" * 2000),
    "lines": "---\nname: lines\ndescription: |\n  one\n  two\n---\nB\n",
    "no-name": skill(None),
    "empty-name": skill('""'),
    "mismatch": skill("another"),
    "Upper": skill("Upper"),
    "spaced": skill("sp aced"),
    "under": skill("under_score"),
    "n" * 65: skill("n" * 65),
    "number": skill("123"),
    "number-description": skill("number-description", "42"),
    "mark": "\ufeff" + skill("mark"),
    "crlf": skill("crlf").replace("\n", "\r\n"),
    "hidden": skill("hidden", disable_model_invocation="true"),
    "hyphens": skill("-hyphens-"),
    "two-hyphens": skill("two--hyphens"),
    "colon-name": skill('"co:lon"'),
    "second-line": "\n" + skill("second-line"),
    "trailing": "--- \nname: trailing\ndescription: D\n---\nB\n",
    "no-body": "---\nname: no-body\ndescription: D\n---",
    "more-fields": skill("more-fields", license="MIT", allowed_tools="Bash Read"),
    "жук": skill("жук"),
    "repeated": "---\nname: repeated\nname: repeated-2\ndescription: D\n---\nB\n",
    "quoted": skill("'quoted'", "'It''s: quoted'"),
    "large": skill("large") + "x" * 2_000_000,
}


def _front() -> Tree:
    return Tree({**GIT, **{f"{_AGENTS}/{folder}/SKILL.md": text for folder, text in FRONT.items()}})


def _names(cwd: str, *places: str) -> Tree:
    """A skill of the same name in several folders."""
    return Tree({**GIT, **_skills({f"{at}/skills/x": "x" for at in places})}, cwd)


def _of_kilo(*folders: str) -> dict[str, Node]:
    """A skill in each folder in which Kilo may search, in both spellings."""
    at = [f"{folder}/{tool}/{end}" for folder in folders for tool in KILO_USER for end in ("skills", "skill")]
    return _skills({f"{place}/{(name := place.replace('/', '-').replace('.', ''))}": name for place in at})


def _pairs(*places: str) -> dict[str, Node]:
    """A name for each two places, which have a skill of that name: the names show the order of all places."""
    return {
        f"{place}/skills/{names}/SKILL.md": skill(names, f"In {place}")
        for (first, one), (second, other) in combinations(enumerate(places), 2)
        for names in [f"n{first}-{second}"]
        for place in (one, other)
    }


def _links_out() -> Tree:
    """Links to files within and outside the project, to a file, to a folder, and to the folder of skills itself."""
    links: dict[str, Node] = {}
    for at in ("p/.agents", "p/.claude", "p/.kilo", "p/.opencode", "home/.agents", "home/.kilo"):
        for place in ("p/in", "out"):
            name = f"{at}-{place}".replace("/", "-").replace(".", "")
            links[f"{place}/{name}/SKILL.md"] = links[f"{place}/{name}-file/SKILL.md"] = None
            links[f"{at}/skills/{name}"] = Path(f"../../../{place}/{name}")
            links[f"{at}/skills/{name}-file/SKILL.md"] = Path(f"../../../../{place}/{name}-file/SKILL.md")
    files = {path: skill(path.split("/")[-2]) if node is None else node for path, node in links.items()}
    whole: Mapping[str, Node] = {
        "out/codex/whole/SKILL.md": skill("whole"),
        "p/.kilocode/skills": Path("../../out/codex"),
    }
    return Tree({**GIT, **files, **whole})


def _worktree() -> Tree:
    """A linked worktree "w" of the repository "p", with skills in both."""
    kept = "p/.git/worktrees/w"
    links = {"HEAD": "ref: refs/heads/other\n", "commondir": "../..\n", "gitdir": "../../../../w/.git\n"}
    names = {f"{at}/{tool}/skills/{at}{tool[1:]}": f"{at}{tool[1:]}" for at in "pw" for tool in (*PROJECT, ".kilo")}
    own: Mapping[str, Node] = {"w/.git": "gitdir: ../p/.git/worktrees/w\n"}
    return Tree({**GIT, **{f"{kept}/{name}": text for name, text in links.items()}, **own, **_skills(names)}, "w")


def _random(seed: int, project: Sequence[str] = PROJECT, user: Sequence[str] = USER) -> Tree:
    """Skills in folders of several tools, with few names and some faults."""
    draw = random.Random(seed)
    files: dict[str, Node] = dict(GIT) if draw.random() < 0.8 else {}
    for _ in range(draw.randint(4, 14)):
        is_project = draw.random() < 0.6
        at = draw.choice(["p", "p/a", "p/a/b"]) if is_project else "home"
        tool = draw.choice(project if is_project else user)
        below = draw.choice(["", "", "", "deeper/", "deeper/still/", ".dot/", "node_modules/"])
        name = draw.choice(["red", "green", "blue", "grey", "pink", "teal"])
        folder = f"{at}/{tool}/skills/{below}{name}"
        fault = draw.choice([*(key for key in FRONT if key != "broken-description"), *[""] * 40])
        text = FRONT.get(fault) or skill(draw.choice([name, name, name.upper(), "other"]), f"In {folder}")
        files[f"{folder}/SKILL.md"] = text if fault != "large" else skill(name, f"In {folder}")
    return Tree(files, draw.choice(["p", "p/a", "p/a/b"]))


_LATIN: Node = skill("latin", "café").encode("latin-1")
_BOTH = [f"{at}/{tool}" for at in ("p", "p/a") for tool in (".agents", ".claude", ".opencode")]
_COPIES: Mapping[str, Node] = {
    f"{_AGENTS}/c1/SKILL.md": skill("case", "one"),
    f"{_AGENTS}/c2/SKILL.md": skill("CASE", "two"),
    f"{_AGENTS}/s1/SKILL.md": skill("same", "one"),
    f"{_AGENTS}/s2/SKILL.md": skill("same", "two"),
    "p/common/one/SKILL.md": skill("common"),
    f"{_AGENTS}/copy": Path("../../common/one"),
    "home/.agents/skills/copy": Path("../../../p/common/one"),
}
_OF_USER = {f"home/{at}/skills/{(name := at.replace('/', '-').strip('.'))}": name for at in USER}

_OF_PAIRS = [f"{folder}/{tool}" for folder in ("p", "p/a", "home") for tool in KILO] + ["home/.config/kilo"]

TREES: Mapping[str, Tree] = {
    "places": _places(),
    "places of the user": Tree({**GIT, **_skills(_OF_USER)}),
    "one place of the user": Tree({**GIT, "home/.agents/skills/agents/SKILL.md": skill("agents")}),
    "no project": Tree(_skills(_of_tools({"o/": "up", "o/q/": "here"})), "o/q"),
    "at home": Tree(_skills({f"home/{tool}/skills/{tool[1:]}": tool[1:] for tool in PROJECT}), "home"),
    "forms of folders": _shapes(),
    "a file in the skills folder": Tree({**GIT, **_skills({_AGENTS: "top", f"{_AGENTS}/other": "other"})}),
    "fields of front matter": _front(),
    "not UTF-8": Tree({**GIT, f"{_AGENTS}/latin/SKILL.md": _LATIN, f"{_AGENTS}/well/SKILL.md": skill("well")}),
    "one name": _names("p", *[f"p/{at}" for at in PROJECT], *[f"home/{at}" for at in USER]),
    "one name of a project": _names("p", *[f"p/{at}" for at in PROJECT]),
    "one name of a user": _names("p", *[f"home/{at}" for at in USER]),
    "inner and outer": _names("p/a", *_BOTH),
    "copies and letters": Tree({**GIT, **_COPIES}),
    "places of Kilo": Tree({**GIT, **_of_kilo("p", "p/a", "p/a/b", "home")}, "p/a"),
    "no project of Kilo": Tree(_of_kilo("o", "o/q"), "o/q"),
    "pairs": Tree({**GIT, **_pairs(*_OF_PAIRS)}, "p/a"),
    "hidden folders": Tree({**GIT, **_skills({f"p/{at}/skills/.x/{at[1:]}": at[1:] for at in (*PROJECT, ".kilo")})}),
    "links out of the project": _links_out(),
    "a linked worktree": _worktree(),
    **{f"random {seed}": _random(seed) for seed in range(24)},
    **{f"random {seed}": _random(seed, KILO, KILO_USER) for seed in range(24, 36)},
}


class Laid(Protocol):
    """What is written to the disk of a tree: of this module, or of another one."""

    @property
    def files(self) -> Mapping[str, Node]: ...
    @property
    def cwd(self) -> str: ...
    @property
    def home(self) -> str: ...


def lay(tree: Laid, base: Path) -> None:
    """Write a tree below a folder."""
    for folder in (tree.cwd, tree.home):
        (base / folder).mkdir(parents=True, exist_ok=True)
    for name, node in tree.files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(node, Path):
            path.symlink_to(node)
        elif node is None:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(node if isinstance(node, bytes) else node.encode())
