"""The role workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loopspec.contract.roles import RoleKind


def _later(name: str) -> Callable[..., Any]:  # Any: what the function of the name receives and returns
    """The function of `trees` with this name, which is imported with the first call: no other role needs it."""

    def call(*arguments: Any, **named: Any) -> Any:
        from . import trees

        return getattr(trees, name)(*arguments, **named)

    return call


def _read_by_reference(target: Any, *arguments: Any, **named: Any) -> Any:  # Any: a target with a dialect, as above
    """Read the instruction files of a workspace in the dialect of the target."""
    from .reading import read_workspace

    return read_workspace(target.dialect, *arguments, **named)


WORKSPACE = RoleKind(
    "workspace",
    "reads the instruction files of a folder tree, as a coding agent does when it starts",
    "read_workspace",
    acts=("read workspace",),
    perform=_later("perform_workspace"),
    by_reference=_read_by_reference,
    before_run=_later("must_be_alone"),
    lacks=_later("lacks_for"),
    serve=_later("served"),
)
