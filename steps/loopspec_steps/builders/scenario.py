"""From steps to a Scene and its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

from ..phrasebook import BOOK, Kind, PhraseError, Table
from .scene import Draft


@dataclass(frozen=True)
class Check:
    """A Then, ready to look at an Observation. Raises `Mismatch`."""

    text: str
    function: Callable[..., None]
    arguments: Mapping[str, object]

    def __call__(self, seen: Observation) -> None:
        """Look."""
        self.function(seen=seen, **self.arguments)


class Drafting:
    """One scenario under way: steps go in, and at its When the Scene comes out."""

    def __init__(self) -> None:
        self._draft = Draft()
        self._scene: Scene | None = None

    @property
    def acted(self) -> bool:
        """Whether the When has been."""
        return self._scene is not None

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
        if kind == "then":
            if "scene" in match.phrase.takes:
                arguments["scene"] = self.scene
            return Check(text, match.phrase.function, arguments) if self.scene else None
        if self._scene is not None:
            raise PhraseError(f"{text!r} comes after the When: a second act is a second scenario")
        match.phrase.function(self._draft, **arguments)
        if kind == "when":
            self._scene = self._draft.scene()
        return None


def _rows(table: Sequence[Sequence[str]]) -> Table:
    header, *rows = table
    return [dict(zip(header, row, strict=True)) for row in rows]
