"""The skills that a tool finds, and those that it passes over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from ..answers import questions
from ..reader.files import Files
from ..reader.roots import folders_above, is_inside, join, main_worktree, parent, without_links
from .skill_file import FILE, parsed

_SHARED = (".agents/skills", ".claude/skills")  # the skills folders that several tools search
_DEPTHS = {"one-level": 1, "six-levels": 6, "any-depth": 64}
_MOST_DEPTH = 8  # levels that are searched
_MOST_FOLDERS = 2_000


class Skill(Struct, frozen=True):
    """A skill that the model is offered. `is_cut`: the model receives the start of the description."""

    name: str
    description: str
    is_cut: bool
    path: str
    is_of_project: bool


class Unseen(Struct, frozen=True):
    """A skill that the model is not offered, and why: a key of `reasons.toml`. `other` is the skill in its place."""

    path: str
    reason: str
    other: str = ""


class Skills(Struct, frozen=True):
    """The skills of a folder, those of the project first, and what the tool passes over."""

    seen: tuple[Skill, ...]
    unseen: tuple[Unseen, ...]


def read_skills(files: Files, cwd: str, home: str, values: Mapping[str, str]) -> Skills:
    """Read the skills that a tool with these values finds when it starts in a folder, as in a trusted project.

    Bundled skills, those of plugins and those of configured folders are left out, and no ignore file is read. Nothing
    is executed or written.
    """
    return _Reader(files, without_links(files, cwd), home, values).read()


class _Reader(Struct):
    files: Files
    cwd: str
    home: str
    values: Mapping[str, str]
    unseen: list[Unseen] = []
    folders_left: int = _MOST_FOLDERS

    def read(self) -> Skills:
        found: list[tuple[str, Skill]] = []
        searched = self._skills_folders()
        for folder, is_of_project in searched.items():
            for path in self._files_in(folder):
                is_outside = is_of_project and self._leads_out(folder, path)
                skill = "outside" if is_outside else parsed(self.files, path, self.values)
                if isinstance(skill, tuple):
                    found.append((folder, Skill(*skill, path, is_of_project)))
                elif skill:
                    self.unseen.append(Unseen(path, skill))
                if skill == "ends":
                    return Skills((), tuple(self.unseen))
        seen = sorted(self._without_repeated(found), key=lambda skill: not skill.is_of_project)
        for folder in self._folders_of_others(searched):
            self.unseen += [Unseen(path, "other-folder") for path in self._files_in(folder)]
        return Skills(tuple(seen), tuple(self.unseen))

    def _root(self) -> str | None:
        above = folders_above(self.cwd)
        return next((at for at in above if self.files.kind(join(at, ".git")) in ("file", "folder")), None)

    def _searched(self, *, shared: bool) -> Sequence[str]:
        """The folders that may have a skills folder, in the order in which they win a name."""
        above, root, walk = folders_above(self.cwd), self._root(), self.values["walk"]
        if walk == "project-root":
            return [root or self.cwd]
        if walk == "working-directory" or (walk == "shared-to-root" and not shared):
            return [self.cwd]
        goes_up = ("every-folder-above",) if shared else ("every-folder-above", "own-above")
        if root is None and self.values["no-root"] not in goes_up:
            return [self.cwd]
        found = above[: above.index(root) + 1] if root else above
        found = found[::-1] if self.values["levels"] == "outer" else found
        if self.values["worktree"] == "yes" and (roots := main_worktree(self.files, self.cwd)):
            found += tuple(roots[1] + folder.removeprefix(roots[0]) for folder in found)
        return found

    def _skills_folders(self) -> dict[str, bool]:
        """The skills folders that exist, in the order in which they win a name, each with whether it is a project's."""
        groups = {axis: of.values[self.values[axis]].groups for axis, of in questions().items()}
        searched = {shared: self._searched(shared=shared) for shared in (True, False)}
        places = {
            "user": [(names[0], self._first(self.home, names)) for names in groups["user-folders"]],
            "project": [
                (names[0], self._first(folder, names))
                for folder in max(searched.values(), key=len)
                for names in groups["project-folders"]
                if folder in searched[names[0] in _SHARED]
            ],
        }
        found: dict[str, bool] = {}
        for place, *starts in groups["winner"]:
            for name, path in places[place]:
                if path and name.startswith(tuple(starts) or ""):
                    found.setdefault(path, place == "project")
        return found

    def _leads_out(self, folder: str, path: str) -> bool:
        root, is_skipped = self._root() or self.cwd, self.values["linked-outside"] == "skipped"
        return is_skipped and is_inside(folder, root) and not is_inside(without_links(self.files, path), root)

    def _first(self, folder: str, names: Sequence[str]) -> str:
        return next((path for name in names if self.files.kind(path := join(folder, name)) == "folder"), "")

    def _folders_of_others(self, searched: Mapping[str, bool]) -> list[str]:
        """The skills folders of the project that only other tools read."""
        groups = (group for value in questions()["project-folders"].values.values() for group in value.groups)
        names = sorted({name for group in groups for name in group})
        folders = max((self._searched(shared=shared) for shared in (True, False)), key=len)
        places = [join(folder, name) for folder in folders for name in names]
        return [path for path in places if path not in searched and self.files.kind(path) == "folder"]

    def _files_in(self, top: str) -> Iterator[str]:
        """The files with skills below a skills folder; those that the tool passes over are noted."""
        waiting: list[tuple[str, int, str]] = [(top, 0, "")]
        known: set[object] = set()
        while waiting and self.folders_left:
            folder, depth, reason = waiting.pop(0)
            self.folders_left -= 1
            with suppress(OSError):
                if (identity := self.files.identity(folder)) in known:
                    continue
                known.add(identity)
                names = [entry.name for entry in self.files.entries(folder)]
                path = join(folder, FILE)
                has_file = FILE in names and self.files.kind(path) == "file"
                if has_file and (why := reason or self._of_file(path, depth)):
                    self.unseen.append(Unseen(path, why))
                elif has_file:
                    yield path
                if not reason and not (has_file and depth):
                    yield from self._other_files(top, folder, names)
                if has_file and self.values["below-skill"] == "not-searched":
                    reason = reason or "below-skill"
                below = [
                    (join(folder, name), depth + 1, reason or self._of_folder(top, name, depth + 1)) for name in names
                ]
                waiting += [each for each in below if depth < _MOST_DEPTH and self.files.kind(each[0]) == "folder"]

    def _of_file(self, path: str, depth: int) -> str:
        """Why the file of a skill is passed over in a folder that is searched."""
        if not depth and self.values["folder-file"] == "no":
            return "in-skills-folder"
        folder = self.files.real_path(path.removesuffix(f"/{FILE}"))
        is_link = self.files.real_path(path) != join(folder, FILE)
        return "linked" if is_link and self.values["linked-file"] == "skipped" else ""

    def _of_folder(self, top: str, name: str, depth: int) -> str:
        """Why a folder is not searched."""
        if depth > _DEPTHS[self.values["depth"]]:
            return "too-deep"
        searched = ("searched", "shared") if top.endswith(_SHARED) else ("searched",)
        if name.startswith(".") and self.values["hidden-folders"] not in searched:
            return "hidden-folder"
        return "node-modules" if name == "node_modules" and self.values["node-modules"] == "skipped" else ""

    def _other_files(self, top: str, folder: str, names: Sequence[str]) -> Iterator[str]:
        """The Markdown files that are skills of their own."""
        value = self.values["other-files"]
        at_top = value == "top" or (value == "by-folder" and not top.endswith("/.agents/skills"))
        paths = [join(folder, name) for name in names if name.endswith(".md") and name != FILE]
        if value != "no" and at_top == (folder == top):
            yield from (path for path in paths if self.files.kind(path) == "file")

    def _without_repeated(self, found: Sequence[tuple[str, Skill]]) -> list[Skill]:
        """The skills that are listed: of those with one name, the first one, unless the tool lists them all."""
        value = self.values["same-name"]
        kept: dict[object, tuple[str, Skill]] = {}
        for folder, skill in found:
            name = skill.name.casefold() if self.values["name-case"] == "one" else skill.name
            first, by = kept.setdefault(self.files.identity(skill.path) if value == "both" else name, (folder, skill))
            if by is not skill:
                reason = "either" if value == "either" or parent(folder) == parent(first) else "same-name"
                self.unseen.append(Unseen(skill.path, reason, by.path))
        return [skill for _, skill in kept.values()]
