"""What Google ADK documents to do otherwise, each choice with the place in its source that says so."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/google/adk-python/blob/v2.13.0/src/google/adk"

POSTURES: dict[str, Posture] = {}
