"""What a worker reports to its controller, as JSON."""

from __future__ import annotations

from msgspec import Struct

from ...contract.target import Identity
from ...engine.result import CaseLine


class Part(Struct, frozen=True):
    """What a worker has planned on one target. `tests` has the case of each test."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    cases: tuple[str, ...]
    tests: dict[str, str]


class Plan(Struct, frozen=True):
    """What a worker has collected, by target; or why it refuses to continue."""

    parts: dict[str, Part] = {}
    refusal: str = ""


class Judged(Struct, frozen=True):
    """What became of a case on a target; of the canary, only whether it failed as it must."""

    target: str
    line: CaseLine | None = None
    canary: bool | None = None
    aborted: str = ""
