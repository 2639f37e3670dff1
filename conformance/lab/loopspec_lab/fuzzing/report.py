"""The lines of the report of a search, written as it happens."""

from __future__ import annotations

from msgspec import Struct

from loopspec.contract.scene import Scene
from loopspec.contract.target import Identity

from ..comparing.differences import Difference


class BeginLine(Struct, frozen=True, tag="fuzz", rename="camel"):
    """The first line: what is compared, and how."""

    target: str
    other: str
    identities: tuple[Identity, Identity]
    seed: int
    seconds: float


class DifferenceLine(Struct, frozen=True, tag="difference", rename="camel"):
    """One new difference, with the scene and the scenario that show it."""

    number: int
    kind: str
    difference: Difference
    others: tuple[Difference, ...]
    scene: Scene
    scenario: str
    repeats: bool


class EndLine(Struct, frozen=True, tag="end", rename="camel"):
    """The last line. `known` counts the differences passed over by the number of their entry, from 1."""

    performed: int
    differences: int
    known: dict[int, int]
    interrupted: bool
    ended_early: str
