"""Discovery: the instruction files that a dialect finds, in the order in which they are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product
from typing import Literal, TypeAlias

from msgspec.structs import replace

from loopspec_reference.agentsmd.paths import clean_path

from .files import Content
from .found import Found, sorted_by_path, without_repeats, without_shadowed
from .loading import Load
from .reading import Reason
from .roots import entries_in, find_root, folders_with_names, is_inside, join, linked_worktree, parent, search_folders
from .rules import rules_below, rules_by_level, rules_once

_ABSENT = ("missing", "through-file")


# What a path turned out to be. All but "next-name" hide the later names of the group.
_Looked: TypeAlias = Found | Literal["next-name", "hides", "drops-name"]


def discover(load: Load, configured: Sequence[str]) -> list[Found]:
    """Return the files to load, in order, each with its first bytes.

    Raises `ReadingEndedError` if a file ends the load.
    """
    dialect = load.dialect
    root = find_root(load.files, dialect, load.cwd)
    load.project = root or load.cwd
    search = _Search(load)
    if dialect.walk == "configured":
        return without_repeats(load, search.configured(configured), again=True)
    folders = search_folders(load.files, dialect, load.cwd, load.home, root)
    first: list[Found] = []
    if dialect.global_place == "first":
        first = [found for group in dialect.global_files for found in search.global_group(group)]
        first += search.rules(load.home, is_global=True) if dialect.rules_place else []
    project = search.project(folders)
    if dialect.worktree == "hides":
        project = without_shadowed(load, project)
    local = search.group(root, dialect.local_files) if dialect.local_file == "last" and root is not None else []
    last: list[Found] = []
    if dialect.global_place == "last":
        last = [found for group in dialect.global_files for found in search.global_group(group)]
    found = search.without_dropped([*first, *project, *local, *last, *search.rules_once()])
    found = without_repeats(load, found, again=dialect.global_again in ("yes", "none"))
    return sorted_by_path(found) if dialect.order == "by-path" else found


def discover_in(load: Load, folder: str) -> list[Found]:
    """Return the files and the rules of one folder."""
    return _Search(load).project([folder])


def _family(name: str) -> str:
    """Return the family of a name: its last segment up to the first dot."""
    return name.rpartition("/")[2].partition(".")[0]


class _Search:
    """Looks at names in folders."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._dropped_by: str | None = None
        self._globals: set[str] = set()
        hides_all = load.dialect.worktree == "hides-all"
        self._worktree = linked_worktree(load.files, load.cwd) if hides_all else None

    def configured(self, paths: Sequence[str]) -> list[Found]:
        load = self._load
        found: list[Found] = []
        for path in paths:
            if load.dialect.configured_dots == "ends" and ".." in path:
                load.note("invalid-path", path)
                raise load.end(path, "invalid-path")
            full = clean_path(path if path.startswith("/") else join(load.cwd, path))
            looked = self._look(full)
            if isinstance(looked, Found):
                found.append(looked)
            elif load.files.kind(full) in _ABSENT:
                load.note("missing", full)
        return found

    def project(self, from_root: list[str]) -> list[Found]:
        """Return the files of the project in the order of the dialect."""
        dialect = self._load.dialect
        if dialect.order == "ends-first" or dialect.rules_by_level:
            return self._ends_first(from_root)
        from_root = folders_with_names(self._load.files, dialect, from_root)
        folders = from_root[::-1] if dialect.order == "from-working-directory" else from_root
        found = self._by_name(from_root, folders)
        return self._with_rules(found, folders) if dialect.rules_place else found

    def rules_once(self) -> Iterator[Found]:
        load = self._load
        for folder in (load.home, load.cwd) if load.dialect.rules_once else ():
            paths = rules_once(load.files, folder, load.dialect.rules_folders)
            yield from self._as_rules(paths, is_global=folder == load.home)

    def _ends_first(self, from_root: list[str]) -> list[Found]:
        """Return the files of the first and of the last folder, then those of the folders between, then the rules."""
        dialect = self._load.dialect
        ends = [*dict.fromkeys((from_root[0], from_root[-1]))]
        names = [group for group in dialect.file_names if group[0] not in dialect.names_between]
        split = 1 if dialect.grouping == "first-name-first" else 0
        looks = [(folder, group) for groups in (names[:split], names[split:]) for folder in ends for group in groups]
        looks += [(folder, group) for folder in from_root[-2:0:-1] for group in dialect.file_names]
        found = [one for folder, group in looks for one in self.group(folder, group)]
        users = [(self._load.home, dialect.user_rules, dialect.rule_endings[0])] if dialect.user_rules else []
        by_folder = zip(dialect.rules_folders, dialect.rule_endings, strict=False)
        rules = [(folder, *rule) for folder, rule in product(ends, by_folder)]
        rules = rules + users if dialect.rules_by_level else users + rules
        below = rules_by_level if dialect.rules_by_level else rules_below
        paths = [path for folder, name, end in rules for path in below(self._load.files, join(folder, name), end)]
        return [*found, *self._as_rules(paths if dialect.rules_by_level else self._once(paths))]

    def _once(self, paths: Iterable[str]) -> Iterable[str]:
        """Return the first of the paths of each file in the project, and those of the user apart."""
        load, found = self._load, dict[tuple[bool, str], str]()
        for path in paths:
            found.setdefault((path.startswith(join(load.home, load.dialect.user_rules)), load.real_path(path)), path)
        return found.values()

    def _as_rules(self, paths: Iterable[str], *, is_global: bool = False) -> Iterator[Found]:
        for path in paths:
            if isinstance(looked := self._look(path, is_global=is_global), Found):
                yield replace(looked, is_rule=True)

    def _as_named(self, path: str) -> str:
        """Return the path of a file as the tool names it: that of a link, or of a file in other letters."""
        if self._load.dialect.outside_links == "own-folder":
            named = join(parent(path), self._load.real_path(path).rpartition("/")[2])
            return named if self._load.real_path(named) == self._load.real_path(path) else path
        if not self._load.dialect.any_case or self._load.files.kind(path) == "file":
            return path
        place, name = parent(path), path.rpartition("/")[2].lower()
        names = (each.name for each in entries_in(self._load.files, place))
        return next((join(place, each) for each in names if each.lower() == name), path)

    def _by_name(self, from_root: list[str], folders: list[str]) -> list[Found]:
        """Return the files with the names of the dialect."""
        dialect = self._load.dialect
        if dialect.selection == "one-family-per-project":
            return self._one_family(folders)
        if dialect.walk == "nearest":
            folders = self._nearest(from_root)
        one_name = dialect.selection == "one-name-per-project"
        if dialect.grouping != "by-name" and not one_name:
            return [found for folder in folders for group in dialect.file_names for found in self.group(folder, group)]
        files: list[Found] = []
        for number, group in enumerate(dialect.file_names):
            if dialect.global_place == "first-of-name" and number < len(dialect.global_files):
                files += self.global_group(dialect.global_files[number])
            found = [self._one_name(folders, group)] if one_name else [self.group(folder, group) for folder in folders]
            files += chain.from_iterable(found)
        return files

    def _nearest(self, from_root: list[str]) -> list[str]:
        """Return the folder with a file of any group that is nearest to the working directory."""
        kind, names = self._load.files.kind, [*chain.from_iterable(self._load.dialect.file_names)]
        found = (each for each in reversed(from_root) if any(kind(join(each, name)) == "file" for name in names))
        return [*islice(found, 1)]

    def _one_family(self, folders: list[str]) -> list[Found]:
        """Return the files of the first family of names that any folder has."""
        families: dict[str, list[tuple[str, ...]]] = {}
        for group in self._load.dialect.file_names:
            families.setdefault(_family(group[0]), []).append(group)
        chosen: list[Found] = []
        for groups in families.values():
            if chosen:
                self._note_hidden(
                    chosen[0].path, (join(f, name) for group in groups for f in folders for name in group)
                )
            else:
                chosen = [found for folder in folders for group in groups for found in self.group(folder, group)]
                if groups[0] != self._load.dialect.file_names[0]:
                    chosen = [replace(each, is_fallback=True) for each in chosen]
        return chosen

    def _with_rules(self, chosen: list[Found], folders: list[str]) -> list[Found]:
        """Return files, and the rules of each folder in their place."""
        dialect = self._load.dialect
        found: list[Found] = []
        for folder in folders:
            follows = {
                join(folder, name): number >= dialect.rules_place
                for number, group in enumerate(dialect.file_names)
                for name in group
            }
            found += [each for each in chosen if follows.get(each.path) is False]
            found += self.rules(folder)
            found += [each for each in chosen if follows.get(each.path)]
        return found

    def rules(self, folder: str, *, is_global: bool = False) -> list[Found]:
        """Return the files in the folder of rules of a folder, in any folder below it, under their real paths."""
        load, found = self._load, list[Found]()
        if self._shadowing(folder):
            return []
        waiting = [join(folder, name) for name in load.dialect.rules_folders]
        looked: set[str] = set()
        while waiting:
            path = waiting.pop()
            real, kind = load.real_path(path), load.files.kind(path)
            if real in looked or kind not in ("file", "folder") or real in self._globals:
                continue
            looked.add(real)
            is_link = real != join(load.real_path(parent(path)), path.rpartition("/")[2])
            if is_link and not (is_global or load.agreed or is_inside(real, load.cwd)):
                load.note("link-skipped", path, other=real)
            elif kind == "folder":
                waiting += [join(path, entry.name) for entry in reversed(entries_in(load.files, path))]
            elif load.excludes(path) or load.excludes(real):
                load.note("excluded", path)
            elif path.endswith(".md") and load.is_importable(real):
                found += self._as_rules([real], is_global=is_global)
                self._globals |= {real} if is_global else set()
        return found

    def _shadowing(self, folder: str, name: str = "") -> str | None:
        """Return the worktree from which a file of its repository is not looked at. A private file is."""
        if self._worktree is None or ".local." in name:
            return None
        worktree, repository = self._worktree
        return worktree if is_inside(folder, repository) and not is_inside(folder, worktree) else None

    def global_group(self, names: Sequence[str]) -> list[Found]:
        return self.group(self._load.home, names, is_global=True)

    def group(self, folder: str, names: Sequence[str], *, is_global: bool = False) -> list[Found]:
        """Return the files of one group in one folder."""
        files: list[Found] = []
        kind, prefix = self._load.files.kind, join(folder, "")
        for number, name in enumerate(names):
            path = self._as_named(prefix + name)
            if kind(path) == "missing":  # most names are
                continue
            if not is_global and self._is_ignored(folder, name, path):
                continue
            looked = self._look(path, is_global=is_global)
            if isinstance(looked, Found):
                files.append(looked)
                self._globals |= {self._load.real_path(path)} if is_global else set()
            if looked != "next-name" and (is_global or self._load.dialect.selection != "every-name"):
                self._note_hidden(path, (join(folder, later) for later in names[number + 1 :]))
                break
        return files

    def _is_ignored(self, folder: str, name: str, path: str) -> bool:
        """Return whether a file neither is loaded nor hides another one."""
        load = self._load
        if worktree := self._shadowing(folder, name):
            load.note("hidden", path, other=worktree)
            return True
        return (
            load.dialect.selection == "one-family-per-project"
            and _family(name) == _family(load.dialect.file_names[0][0])
            and load.real_path(path) in self._globals
        )

    def _one_name(self, folders: list[str], names: Sequence[str]) -> list[Found]:
        """Return the files of the first name that any folder has."""
        for number, name in enumerate(names):
            looked = [(join(folder, name), self._look(join(folder, name))) for folder in folders]
            found = [look for _, look in looked if isinstance(look, Found)]
            dropping = [path for path, look in looked if look == "drops-name"]
            hiding = [path for path, look in looked if look != "next-name"]
            if dropping:
                for each in found:
                    self._load.note("name-dropped", each.path, other=dropping[0])
            elif hiding:
                later = (join(folder, other) for other in names[number + 1 :] for folder in folders)
                self._note_hidden(hiding[0], later)
                return found
        return []

    def _note_hidden(self, by: str, paths: Iterable[str]) -> None:
        for path in paths:
            if self._load.files.kind(path) not in _ABSENT:
                self._load.note("hidden", path, other=by)

    def without_dropped(self, found: list[Found]) -> list[Found]:
        """Return the files that are left if one that cannot be read drops the whole project."""
        if self._dropped_by is None:
            return found
        for each in found:
            if not each.is_global:
                self._load.note("project-dropped", each.path, other=self._dropped_by)
        return [each for each in found if each.is_global]

    def _look(self, path: str, *, is_global: bool = False) -> _Looked:
        load, dialect = self._load, self._load.dialect
        if load.excludes(path):
            load.note("excluded", path)
            return "next-name"
        kind = load.files.kind(path)
        if kind == "missing" or (kind == "through-file" and dialect.through_file == "next-name"):
            return "next-name"
        if kind in ("folder", "other"):
            ends = kind == "other" and dialect.not_a_file == "pipe-ends"
            return self._failed(path, "not-a-file", "ends" if ends else dialect.not_a_file, is_global)
        if kind != "file":
            axes = {"loop": dialect.link_loop, "through-file": dialect.through_file}
            return self._failed(path, "unreadable", axes.get(kind, dialect.unreadable), is_global)
        if not is_global and self._leads_outside(path):
            return "hides"
        try:
            content = load.read(path)
        except FileNotFoundError:  # removed since
            return "next-name"
        except OSError:
            if dialect.unreadable == "drops-project" and not is_global:
                load.note("unreadable", path)
                return Found(path, Content(b"", 0), fails=True)
            return self._failed(path, "unreadable", dialect.unreadable, is_global)
        does = dialect.global_empty if is_global else dialect.empty_file
        if does == "next-name" and load.is_blank(load.shown(content.data.decode(errors="replace"))):
            load.note("empty", path)
            return "next-name"
        return Found(path, content, is_global)

    def _failed(self, path: str, reason: Reason, does: str, is_global: bool) -> _Looked:
        """Note a failure and do what the dialect does: `does` is the value of an axis."""
        load = self._load
        load.note(reason, path)
        if does == "ends":
            raise load.end(path, reason)
        if does == "drops-project" and not is_global:
            self._dropped_by = self._dropped_by or path
            return "hides"
        if does == "drops-name" and not is_global:
            return "drops-name"
        return "hides" if does in ("hides", "skipped") else "next-name"

    def _leads_outside(self, path: str) -> bool:
        """Return whether a link out of the project excludes a file of the project."""
        load = self._load
        value = load.dialect.outside_links
        place = parent(path) if value == "own-folder" else load.project
        if value == "followed" and not is_inside(path, place):
            return False
        try:
            real, project = load.files.real_path(path), load.files.real_path(place)
        except OSError:
            return False
        stays = parent(real) == project if value == "own-folder" else is_inside(real, project)
        if stays or not (is_inside(path, place) or value == "skipped" or load.dialect.walk == "configured"):
            return False
        load.note("link-followed" if value == "followed" else "link-skipped", path, other=real)
        if value == "ends":
            raise load.end(path, "link-skipped")
        return value != "followed"
