"""The reports of a worker to its controller, as JSON."""

from __future__ import annotations

from msgspec import Struct

from ...contract.axes import Posture
from ...contract.target import Identity
from ...engine.result import CaseLine


class Part(Struct, frozen=True):
    """The plan of a worker for one target. `tests` has the case of each test."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    cases: tuple[str, ...]
    tests: dict[str, str]
    postures: dict[str, Posture] = {}


class Plan(Struct, frozen=True):
    """The plans of a worker by target, or the reason why it cannot continue."""

    parts: dict[str, Part] = {}
    refusal: str = ""


class Judged(Struct, frozen=True):
    """The result of a case on a target; for the canary, only whether it failed as required.

    `broken` are the results of the invariants that do not hold in the case.
    """

    target: str
    line: CaseLine | None = None
    broken: tuple[CaseLine, ...] = ()
    canary: bool | None = None
    aborted: str = ""
