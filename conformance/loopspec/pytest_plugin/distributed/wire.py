"""What a worker tells its controller, as JSON."""

from __future__ import annotations

from msgspec import Struct

from ...contract.target import Identity
from ...reports.jsonl import CaseLine
from ...specification.shards import Shard


class Order(Struct, frozen=True):
    """What the command line has planned already. Without one, a worker plans by the options and modules of its run."""

    target: str
    cases: tuple[str, ...]
    role: str | None


class Part(Struct, frozen=True):
    """What a worker has planned on one target. `tests` has the case of each test."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    cases: tuple[str, ...]
    shard: Shard | None
    tests: dict[str, str]


class Plan(Struct, frozen=True):
    """What a worker has collected, by target; or why it refuses to go on."""

    parts: dict[str, Part] = {}
    refusal: str = ""


class Told(Struct, frozen=True):
    """What became of a case on a target; of the canary, only whether it failed as it must."""

    target: str
    line: CaseLine | None = None
    canary: bool | None = None
    aborted: str = ""
