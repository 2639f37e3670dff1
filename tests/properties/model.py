"""A model of loading a tree, written from the rules alone, with an agenda instead of recursion.

The model uses no path functions of the reference, so a bug cannot be on both sides. Where a rule leaves a choice, the
model makes the reference's documented choice: a cycle on level 6 is reported as a cycle (AMD-DEPTH-07), the first
configured file with content always stays (AMD-BUDGET-15), and a missing file is reported once (AMD-DEDUP-09).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from loopspec_lab.fuzzing.trees import Content
from loopspec_reference.agentsmd import Reason

from .trees import Tree

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FIRST = frozenset(_LETTERS + "0123456789_.~/")
_LATER = _FIRST | {"-"}
_ENDINGS = (".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml")
_CHAIN = 6  # a configured file and five levels of imports


@dataclass
class Outcome:
    """The result of one load: `failed` is the path whose read ended the load, if any."""

    shown: list[tuple[str, str]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    warnings: list[tuple[str, Reason]] = field(default_factory=list)
    failed: str | None = None


def scan(text: str) -> Iterator[str]:
    """The imports of a text, found character by character."""
    at = 0
    while at < len(text):
        at += 1
        if text[at - 1] != "@" or at == len(text) or text[at] not in _FIRST:
            continue
        end = at
        while end < len(text) and text[end] in _LATER:
            end += 1
        name, at = text[at:end], end
        # Without a slash, the extension is everything after the last dot, so `.md` inside a name does not count.
        if "/" in name or name.endswith(_ENDINGS):
            yield name


def clean(path: str) -> str:
    """Normalize a path, segment by segment."""
    absolute = path.startswith("/")
    kept: list[str] = []
    for segment in path.split("/"):
        if segment in ("", "."):
            continue
        if segment != "..":
            kept.append(segment)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not absolute:
            kept.append(segment)
    return "/" + "/".join(kept) if absolute else "/".join(kept) or "."


def target(name: str, importer: str) -> str:
    """The path of an import in the file `importer`."""
    if name.startswith("/"):
        return clean(name)
    return clean("/".join([*importer.split("/")[:-1], name]))


@dataclass(frozen=True)
class _Ask:
    """A step that reads a configured path, or a path imported by the last file of a chain."""

    path: str
    chain: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Close:
    """A step after a configured file with all its imports, with the number of files loaded before."""

    path: str
    before: int


def predict(tree: Tree) -> Outcome:
    """The expected result of loading the tree."""
    out = Outcome()
    agenda: list[_Ask | _Close] = [_Ask(clean(path)) for path in reversed(tree.configured)]
    while agenda:
        step = agenda.pop()
        spent = sum(size(tree.content(path)) for path in out.reads)
        exceeded = tree.limit != 0 and spent > tree.limit
        if isinstance(step, _Close):
            if exceeded and step.before:
                del out.shown[step.before :]
                out.warnings.append((step.path, Reason.BUDGET))
        elif objection := _objection(step, out.reads, exceeded):
            out.warnings.append((step.path, objection))
        elif step.path not in out.reads:
            out.reads.append(step.path)
            fault = tree.fault(step.path)
            if fault is None:
                agenda += _shown(step, decoded(tree.content(step.path)), out)
            elif fault.means_missing:
                out.warnings.append((step.path, Reason.MISSING))
            else:
                return Outcome([], out.reads, out.warnings, step.path)
    return out


def _objection(ask: _Ask, reads: list[str], exceeded: bool) -> Reason | None:
    if ask.path in ask.chain:
        return Reason.CYCLE
    if ask.path in reads:
        return None
    if len(ask.chain) == _CHAIN:
        return Reason.DEPTH
    return Reason.BUDGET if exceeded else None


def _shown(ask: _Ask, text: str, out: Outcome) -> list[_Ask | _Close]:
    """Add a file that was read; return the following steps, the last first."""
    if not text:
        return []
    group: list[_Ask | _Close] = [] if ask.chain else [_Close(ask.path, len(out.shown))]
    out.shown.append((ask.path, text))
    names = reversed(list(scan(text)))
    return [*group, *(_Ask(target(name, ask.path), (*ask.chain, ask.path)) for name in names)]


def size(content: Content | None) -> int:
    """The size of a file in bytes; a missing file has none."""
    return len(content.encode() if isinstance(content, str) else content or b"")


def decoded(content: Content | None) -> str:
    """A file's content as text."""
    return content if isinstance(content, str) else str(content or b"", "utf-8", "replace")
