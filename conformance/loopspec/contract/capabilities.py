"""The capabilities of a target: what an implementation may have or lack. A closed list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from .roles import Role

# The name of a capability.
Capability: TypeAlias = str


class CapabilityKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A capability: see the head of capabilities.toml."""

    roles: tuple[Role, ...]
    says: str
    name: Capability = ""
    store_method: str = ""
    adapter_method: str = ""
    toolkit_method: str = ""
    few_have: str = ""

    def __str__(self) -> str:
        return f"{', '.join(self.roles)}: {self.says}"


_TABLE = Path(__file__).with_suffix(".toml").read_bytes()
CAPABILITIES: Mapping[Capability, CapabilityKind] = {
    name: replace(kind, name=name)
    for name, kind in msgspec.toml.decode(_TABLE, type=dict[Capability, CapabilityKind]).items()
}


def capabilities_of_role(role: Role) -> tuple[Capability, ...]:
    """The capabilities that a target in the role can have."""
    return tuple(name for name, kind in CAPABILITIES.items() if role in kind.roles)
