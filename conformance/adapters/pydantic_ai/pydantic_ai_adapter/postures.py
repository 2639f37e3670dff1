"""What pydantic-ai documents to do otherwise, each choice with the place in its source that says so."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/pydantic/pydantic-ai/blob/v2.68.0/pydantic_ai_slim/pydantic_ai"

POSTURES = {
    "after-order": Posture(value="reversed", link=f"{_AT}/capabilities/combined.py#L770"),
    "answer-event": Posture(value="after-hooks", link=f"{_AT}/_agent_graph.py#L3644"),
    "calls-without-tools": Posture(value="reported", link=f"{_AT}/tool_manager.py#L825"),
    "edits-last": Posture(value="request", link=f"{_AT}/capabilities/abstract.py#L1105"),
    "empty-answer": Posture(value="asked-again", link=f"{_AT}/_agent_graph.py#L3906"),
    "failed-sibling": Posture(value="cancelled", link=f"{_AT}/_tool_execution.py#L1030"),
    "instruction-template": Posture(value="literal", link=f"{_AT}/messages.py#L3330"),
    "interrupted-wrapper": Posture(value="repeated", link=f"{_AT}/capabilities/abstract.py#L1388"),
    "limit-default": Posture(value="50", link=f"{_AT}/usage.py#L559"),
    "limit-zero": Posture(value="no-call", link=f"{_AT}/usage.py#L636"),
    "nesting": Posture(value="wrappers-around-hooks", link=f"{_AT}/capabilities/abstract.py#L1179"),
    "unknown-tool": Posture(value="reported", link=f"{_AT}/tool_manager.py#L825"),
}
