"""What the SDK documents to do otherwise, each choice with the place in its source that says so."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/openai/openai-agents-python/blob/v0.24.0/src/agents"

POSTURES = {
    "edits-last": Posture(value="request", link=f"{_AT}/run_config.py#L457"),
    "instruction-template": Posture(value="literal", link=f"{_AT}/agent.py#L340"),
    "limit-default": Posture(value="10", link=f"{_AT}/run_config.py#L45"),
    "limit-zero": Posture(value="no-call", measured=True),
    "same-name": Posture(value="accepted", link=f"{_AT}/run_config.py#L509"),
}
