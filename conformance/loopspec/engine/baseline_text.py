"""The text of a baseline: its entries are changed in place, and comments and line endings stay; renamed cases."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from ..contract.faults import UsageError
from ..contract.specification import features_root
from ..contract.values import Json
from ..specification.cases import SEPARATOR
from ..specification.sources import forms
from .output import write_text

_ENTRY = re.compile(r"^[ \t]*\[\[[ \t]*known[ \t]*\]\]", re.MULTILINE)
_CASE = re.compile(r"^([ \t]*case[ \t]*=[ \t]*).*$", re.MULTILINE)
_CASES = re.compile(r"^[ \t]*cases[ \t]*=[ \t]*\[", re.MULTILINE)
# a name in an array with what separates it from the next one, a comment, or the end of the array
_IN_ARRAY = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*,?[ \t]*|#[^\n]*|\]""")
_LINE = re.compile(r"[ \t]*(#[^\n]*)?(\r?\n)")


# What a known difference is: surprising, against the implementation's own documents or plain sense; a choice that it
# documents; a thing that it does not have; or none of these yet.
Kind: TypeAlias = Literal["defect", "documented", "not-offered", "open"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Known(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry: one name in `case`, or, as it may be written, several names with one reason in `cases`.

    A name is a case (`ID :: title`), or by hand a bare rule id. `flaky`: the case fails in some runs only, so a pass
    does not make the entry stale. `cause` is a name for the reason, `versions` are those in which it was seen, and
    `thread` is the address of a report to the authors.
    """

    reason: str
    case: str = ""
    cases: tuple[str, ...] = ()
    link: str = ""
    flaky: bool = False
    cause: str = ""
    kind: Kind | Literal[""] = ""
    versions: tuple[str, ...] = ()
    thread: str = ""

    def __post_init__(self) -> None:
        """Raise `ValueError`, which msgspec reports with the place, unless exactly one of the two is given."""
        if bool(self.case) == bool(self.cases):
            raise ValueError("give `case` or `cases`, and not both")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entry."""
        return self.cases or (self.case,)


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """A file with entries."""

    known: tuple[Known, ...] = ()


def read(path: Path) -> tuple[str, Mapping[str, Json]]:
    """The text of a baseline, and its content. Raises `UsageError`."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors write a byte order mark
        return text, tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the baseline {path} is not valid TOML: {error}") from None


def line_of(text: str, number: int, name: str = "") -> int:
    """The line of an entry, or of a name in its `cases`; 1 for another form than `[[known]]`."""
    starts = [hit.start() for hit in _ENTRY.finditer(text)]
    if number >= len(starts):
        return 1
    array = _CASES.search(text, starts[number], (*starts, len(text))[number + 1])
    place = text.find(quoted(name), array.end()) if name and array else -1
    return text.count("\n", 0, max(starts[number], place)) + 1


def change_names(path: Path, done: str, choose: Callable[[Sequence[str]], Mapping[str, str]]) -> Mapping[str, str]:
    """Change names in the entries of a baseline and nothing else, and return the new names by the old ones.

    `choose` receives all names in order and returns those to change, each with its new name; empty for one that is
    removed. Raises `UsageError`, with `done` as the failed operation, for a file that cannot be changed.
    """
    text, content = read(path)
    starts = [hit.start() for hit in _ENTRY.finditer(text)]
    if len(starts) != len(content.get("known", ())):
        raise UsageError(
            f"the baseline {path} cannot be {done}: write each entry below a line `[[known]]`, "
            "and no such line inside a text"
        )
    blocks = [text[a:b] for a, b in pairwise((*starts, len(text)))]
    new_names = choose([name for block in blocks for name in _names_of(path, block)])
    if new_names:
        kept = [_with_names(path, block, lambda name: new_names.get(name, name), done) for block in blocks]
        ending = "\r\n" if "\r\n" in text else "\n"
        write_text(path, "".join([text[: starts[0]], *kept]).rstrip() + ending)
    return new_names


def _names_of(path: Path, block: str) -> tuple[str, ...]:
    """Return the names in an entry's text. Raises `UsageError` for a text that is no entry."""
    try:
        return msgspec.convert(tomllib.loads(block), type=Entries).known[0].names
    except msgspec.ValidationError as error:
        raise UsageError(f"the baseline {path}: {error}, in an entry that begins {block[:60]!r}") from None


def _with_names(path: Path, block: str, new_name: Callable[[str], str], done: str) -> str:
    """Return an entry's text with new names, without the names that become empty.

    Only the comments after an entry remain of one without a name. Raises `UsageError`, with `done` as the failed
    operation, for a form that cannot be changed.
    """
    names = _names_of(path, block)
    wanted = tuple(filter(None, map(new_name, names)))
    if wanted == names:
        return block
    if not wanted:
        return _comments_below(block)
    array = _CASES.search(block)
    if array is None:
        text, how = _CASE.sub(lambda line: line[1] + quoted(wanted[0]), block, count=1), "`case = ` and its text"
    else:
        text, how = "".join(_in_array(block, array.end(), new_name)), "each name in `cases`"
    try:
        if _names_of(path, text) == wanted:
            return text
    except tomllib.TOMLDecodeError:  # a name on several lines
        pass
    raise UsageError(f"the baseline {path} cannot be {done}: write {how} in one line")


def _in_array(block: str, start: int, new_name: Callable[[str], str]) -> Iterator[str]:
    """The parts of an entry's text, whose array of names begins at a place."""
    done = 0
    for hit in _IN_ARRAY.finditer(block, start):
        if hit[0] == "]":
            break
        if hit[1] is None:  # a comment
            continue
        name: str = tomllib.loads(f"x = {hit[1]}")["x"]
        if new := new_name(name):
            yield block[done : hit.start()] + (hit[0] if new == name else hit[0].replace(hit[1], quoted(new)))
            done = hit.end()
            continue
        before = block[done : hit.start()]
        rest = _LINE.match(block, hit.end())
        begins_line = before.rstrip(" \t").endswith("\n")
        yield before.rstrip(" \t") if rest and begins_line else before
        done = rest.end() if rest and begins_line else hit.end()
    yield block[done:]


def _comments_below(block: str) -> str:
    """Return the comments after an entry, which belong to the next one."""
    lines = block.splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#"))
    return "".join(lines[last + 1 :]).lstrip()


def written(entry: Known) -> Iterator[str]:
    """The lines of an entry, after an empty line."""
    names = [quoted(name) for name in entry.names]
    yield from ("", "[[known]]")
    yield from (f"{name} = {quoted(text)}" for name in ("cause", "kind") if (text := getattr(entry, name)))
    yield from [f"case = {names[0]}"] if len(names) == 1 else ["cases = [", *(f"  {name}," for name in names), "]"]
    for name in ("reason", "link", "versions", "thread", "flaky"):
        if (value := getattr(entry, name)) or name == "reason":
            yield f"{name} = {msgspec.json.format(msgspec.json.encode(value), indent=0).decode()}"


def quoted(text: str) -> str:
    """Return a TOML string, which equals the JSON string of a text without surrogates."""
    return msgspec.json.encode(text).decode()


class RenamingMap(Struct, frozen=True, forbid_unknown_fields=True):
    """The new names of cases and rules by their old names; an empty one for a removed case."""

    renamed: dict[str, str]

    def new_name(self, name: str) -> str | None:
        """Return the new name, empty for a removed case; None for another name.

        A case of a variant or an invariant is renamed with its plain case. No variant has a variant: a case of one is
        removed if its plain case is now a case of another.
        """
        plain, *parts = name.split(SEPARATOR)
        new = self.renamed.get(plain)
        if not new or not parts:
            return new
        if SEPARATOR in new and parts[0] in forms():
            return ""
        return SEPARATOR.join((new, *parts))


def shipped_maps() -> dict[str, Path]:
    """The maps that are shipped with loopspec, by the version with the new names."""
    return {path.stem: path for path in sorted((features_root() / "renamed").glob("*.toml"))}


def load_map(name: str) -> RenamingMap:
    """Read a map: a file, or the version of one of `shipped_maps`. Raises `UsageError`."""
    path = shipped_maps().get(name, Path(name))
    try:
        return msgspec.toml.decode(path.read_bytes(), type=RenamingMap)
    except OSError as error:
        raise UsageError(
            f"the map {name} cannot be read: {error.strerror}; loopspec has those of {', '.join(shipped_maps())}"
        ) from None
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the map {name} is no table [renamed] of names: {error}") from None


def new_name(name: str) -> tuple[str, str] | None:
    """Return the version that renamed a case or rule, and its new name, which may be empty; None for another name."""
    for version in shipped_maps():
        new = load_map(version).new_name(name)
        if new is not None:
            return version, new
    return None


def rename(path: Path, names: RenamingMap) -> Mapping[str, str]:
    """Rename the cases in the entries of a baseline, and change nothing else in the file.

    Return the new names by the old ones, empty for a removed case.

    A case without a successor is removed, and so is one whose new name is already listed. A variant is judged where the
    plain case passes, so a case that becomes one of a variant is also removed if the plain case is listed.
    Raises `UsageError`.
    """

    def choose(cases: Sequence[str]) -> Mapping[str, str]:
        renamings = [names.new_name(case) for case in cases]
        taken = {case for case, new in zip(cases, renamings, strict=True) if new is None}
        listed = taken.union(filter(None, renamings))
        new_names: dict[str, str] = {}
        for case, new in zip(cases, renamings, strict=True):
            if new is not None:
                new_names[case] = "" if new in taken or not listed.isdisjoint(_plain(new)) else new
                taken.add(new)
        return new_names

    return change_names(path, "renamed", choose)


def _plain(case: str) -> set[str]:
    """The case of a feature, and that of the invariant, which must pass before a case of a variant is judged."""
    plain, *parts = case.split(SEPARATOR)
    if not parts or parts[0] not in forms():
        return set()
    return {plain, SEPARATOR.join((plain, *parts[1:]))}
