"""From steps to a Scene and its checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loopspec.contract.capabilities import Capability
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

from ..declarations import PhraseError, Table
from ..phrasebook import BOOK, Kind, Phrase
from .scene import SceneBuilder


@dataclass(frozen=True)
class Check:
    """A Then, ready to look at an Observation of its Scene. `arguments` fill the holes of the phrase: plain data."""

    phrase: Phrase
    arguments: Mapping[str, object]
    scene: Scene

    @property
    def needs(self) -> frozenset[Capability]:
        """The capabilities that the Then needs."""
        return self.phrase.needs(self.arguments)

    def __call__(self, seen: Observation) -> None:
        """Look. Raises `Mismatch` where the Observation is not what the Then says."""
        given = {**self.arguments, "scene": self.scene} if "scene" in self.phrase.takes else self.arguments
        self.phrase.run(seen=seen, **given)


class ScenarioBuilder:
    """One scenario under way: steps go in, and at its When the Scene comes out."""

    def __init__(self) -> None:
        self._scene_builder = SceneBuilder()
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene:
        """The Scene. Raises `PhraseError` before the When."""
        if self._scene is None:
            raise PhraseError("the scenario has no When before this step")
        return self._scene

    def take(
        self, kind: Kind, text: str, table: Sequence[Sequence[str]] | None = None, docstring: str | None = None
    ) -> Check | None:
        """Take one step; return the check that a Then is. A Given after the When, or a second When, is refused."""
        match = BOOK.match(kind, text)
        arguments = dict(match.holes)
        for name, value in (("table", None if table is None else _rows(table)), ("docstring", docstring)):
            if (value is not None) != (name in match.phrase.takes):
                raise PhraseError(f"{text!r} {'takes no' if value is not None else 'wants a'} {name}")
            if value is not None:
                arguments[name] = value
        match.phrase.check(match.holes, *(() if table is None else (table[0], arguments["table"])))
        if kind == "then":
            return Check(match.phrase, arguments, self.scene)
        if self._scene is not None:
            raise PhraseError(f"{text!r} comes after the When: a second act is a second scenario")
        match.phrase.run(scene_builder=self._scene_builder, **arguments)
        if kind == "when":
            self._scene = self._scene_builder.built()
        return None


def _rows(table: Sequence[Sequence[str]]) -> Table:
    header, *rows = table
    return [dict(zip(header, row, strict=True)) for row in rows]
