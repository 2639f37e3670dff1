"""The capabilities whose reason is present."""

from __future__ import annotations

from collections.abc import Mapping

from ..capabilities import Capability


def present(reasons: Mapping[Capability, object]) -> set[Capability]:
    """Return the capabilities with a true reason."""
    return {capability for capability, reason in reasons.items() if reason}
