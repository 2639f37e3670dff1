"""Parts of a plan for several machines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from msgspec import Struct

from ..contract.faults import UsageError
from .cases import Case


class Shard(Struct, frozen=True):
    """The number of a part, counted from 1, and the number of parts."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def part(self, plan: Sequence[Case]) -> list[Case]:
        """The cases of this shard, in the order of the plan. A short plan may leave none."""
        return [case for case in plan if share(case.id, self.of) == self.number]


def share(case: str, of: int) -> int:
    """The shard of a case, which depends only on the id: machine, Python version and selection do not matter."""
    return int.from_bytes(hashlib.sha256(case.encode()).digest()[:8], "big") % of + 1


def shard_of(text: str) -> Shard:
    """Read `i/n`. Raises `UsageError` for another text."""
    found = re.fullmatch(r"([0-9]+)/([0-9]+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"there is no shard {text!r}: use i/n, such as 1/4 for the first of four")
    return Shard(int(found[1]), int(found[2]))
