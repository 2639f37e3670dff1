"""What installed packages add to the kit: the entry points of its groups.

A package that was removed from an installation adds nothing, and the kit works without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from .faults import KitError, UsageError
from .places import located


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of `loopspec.` and this group by their names; nothing is imported."""
    found = entry_points(group=f"loopspec.{group}")
    return {each.name: each for each in found if find_spec(each.module.partition(".")[0]) is not None}


def loaded(group: str, name: str) -> Any:  # Any: each group has a type of its own, which its caller names
    """The object of an entry point, or None. Raises `UsageError` if importing it fails."""
    found = registered(group).get(name)
    if found is None:
        return None
    try:
        return found.load()
    except KitError:
        raise
    except Exception as error:
        cure = f": update or remove {found.dist.name}" if found.dist else ""
        added = f"{found.value}, which adds {name} to loopspec, cannot be imported"
        raise UsageError(f"{added}: {located(error)}{cure}") from None


def all_loaded(group: str) -> list[Any]:  # Any: as above
    """The objects of all entry points of a group, in the order of their names."""
    return [loaded(group, name) for name in sorted(registered(group))]
