"""Realistic bugs about the instruction of an agent."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference.loop import agents
from loopspec_reference.values.instructions import render
from loopspec_reference.values.messages import Json

from ..registry import bug


@bug("INSTR-03")
def renders_session_values_as_templates() -> AbstractContextManager[object]:
    """Renders the placeholders that a session value contains."""

    def renders(instruction: str, session: Mapping[str, Json]) -> str:
        return render(instruction, {key: _rendered(value, session) for key, value in session.items()})

    return patch.object(agents, "render", renders)


def _rendered(value: Json, session: Mapping[str, Json]) -> Json:
    return render(value, session) if isinstance(value, str) else value
