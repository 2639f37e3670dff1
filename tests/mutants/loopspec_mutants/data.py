"""Mutants and postures as data: each TOML file of this package has those of one topic."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.capabilities import Capability

from .postures import PatchedPosture, enter_posture
from .registry import Bug, Mutant, Store, enter
from .rewriting import Change, Rewriting

_FOLDER = Path(__file__).parent


class Entry(Struct, forbid_unknown_fields=True):
    """A mutant in a file: with one change of its own, or with several `changes`.

    `rule`, `neighbors`, `backend`, `postures`, `dialect` and `shown_by` are those of `Mutant`, and `caught_by` is that
    of `Bug`. In the entry of a posture, the first of `postures` is its axis and value, and the others are implied;
    `lacks` are the capabilities that the changed reference no longer has.
    """

    name: str
    sentence: str
    rule: str = ""
    caught_by: tuple[str, ...] = ()
    neighbors: dict[str, str] = {}
    backend: Store | None = None
    postures: dict[str, str] = {}
    lacks: frozenset[Capability] = frozenset()
    dialect: str = ""
    shown_by: tuple[str, ...] = ()
    file: str = ""
    old: str = ""
    new: str = ""
    changes: tuple[Change, ...] = ()

    def rewriting(self, path: Path) -> Rewriting:
        """Return the changes of this entry of a file."""
        changes = self.changes or (Change(self.file, self.old, self.new),)
        return Rewriting(self.name, self.sentence, changes, str(path.relative_to(_FOLDER)))


class Topic(Struct, forbid_unknown_fields=True):
    """The mutants, the realistic bugs and the postures of one file."""

    mutant: tuple[Entry, ...] = ()
    bug: tuple[Entry, ...] = ()
    posture: tuple[Entry, ...] = ()


def topics() -> Iterator[tuple[Path, Topic]]:
    """Yield the files and what is in them."""
    for path in sorted(_FOLDER.rglob("*.toml")):
        yield path, msgspec.toml.decode(path.read_bytes(), type=Topic)


for path, topic in topics():
    for one in topic.mutant:
        own = (one.backend, one.postures, one.dialect, one.shown_by)
        enter(Mutant(one.name, one.rule, one.rewriting(path), one.neighbors, *own))
    for one in topic.bug:
        bug = one.rewriting(path)
        enter(Bug(one.name, one.caught_by[0], bug, {}, one.backend, one.postures, one.dialect, caught_by=one.caught_by))
    for one in topic.posture:
        (axis, value), *implied = one.postures.items()
        enter_posture(PatchedPosture(axis, value, one.rewriting(path), dict(implied), one.backend, one.lacks))
