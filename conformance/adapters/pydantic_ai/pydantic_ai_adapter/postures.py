"""What pydantic-ai documents to do otherwise, each choice with the place in its source that says so."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/pydantic/pydantic-ai/blob/v2.68.0/pydantic_ai_slim/pydantic_ai"

POSTURES = {
    "after-order": Posture(value="reversed", link=f"{_AT}/capabilities/abstract.py#L127"),
    "edits-last": Posture(value="request", link=f"{_AT}/capabilities/abstract.py#L1105"),
    "empty-answer": Posture(value="asked-again", link=f"{_AT}/_agent_graph.py#L3906"),
    "instruction-template": Posture(value="literal", link=f"{_AT}/messages.py#L3330"),
    "unknown-tool": Posture(value="reported", link=f"{_AT}/tool_manager.py#L825"),
}
