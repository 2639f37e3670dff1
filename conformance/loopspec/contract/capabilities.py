"""The capabilities of a target: what an implementation may have or lack. A closed list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from .roles import Role
from .specification import features_file

# The name of a capability.
Capability: TypeAlias = str


class CapabilityKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A capability: see the head of features/capabilities.toml."""

    roles: tuple[Role, ...]
    says: str
    name: Capability = ""
    store_method: str = ""
    adapter_method: str = ""
    toolkit_method: str = ""
    few_have: str = ""

    def __str__(self) -> str:
        return f"{', '.join(self.roles)}: {self.says}"


CAPABILITIES: Mapping[Capability, CapabilityKind] = {
    name: replace(kind, name=name)
    for name, kind in msgspec.toml.decode(features_file("capabilities.toml"), type=dict[str, CapabilityKind]).items()
}


def capabilities_of_role(role: Role) -> tuple[Capability, ...]:
    """The capabilities that a target in the role can have."""
    return tuple(name for name, kind in CAPABILITIES.items() if role in kind.roles)
