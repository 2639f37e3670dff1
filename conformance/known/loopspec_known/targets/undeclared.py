"""`undeclared.toml`: why an adapter does not declare a capability of the role `agent`."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.faults import SuiteError

FILE = "undeclared.toml"


class Undeclared(Struct, frozen=True, forbid_unknown_fields=True):
    """One reason, with a link to the framework's source at the judged version, or to its documents.

    `gap`: the framework has the capability, and the adapter does not have it yet.
    """

    capabilities: tuple[str, ...]
    reason: str
    link: str
    gap: bool = False

    def __post_init__(self) -> None:
        """Reject a name that is no capability."""
        if unknown := [name for name in self.capabilities if name not in CAPABILITIES]:
            raise ValueError(f"there is no capability {unknown[0]!r}")


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    undeclared: tuple[Undeclared, ...]


def undeclared(folder: Path) -> tuple[Undeclared, ...] | None:
    """The reasons of the adapter in a folder; None for an adapter without the role. Raises `SuiteError`."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_File).undeclared
    except (OSError, ValueError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
