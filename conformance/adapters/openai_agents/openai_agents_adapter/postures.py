"""What the SDK does otherwise by choice: documented, with a link to its source, or measured."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/openai/openai-agents-python/blob/v0.24.0/src/agents"

POSTURES = {
    "calls-without-tools": Posture(value="fails", link=f"{_AT}/run_config.py#L498"),
    "edits-last": Posture(value="request", link=f"{_AT}/run_config.py#L457"),
    "instruction-template": Posture(value="literal", link=f"{_AT}/agent.py#L340"),
    "limit-default": Posture(value="10", measured=True),  # `DEFAULT_MAX_TURNS`, run_config.py#L45: no document has it
    "limit-zero": Posture(value="no-call", measured=True),
    "same-name": Posture(value="accepted", link=f"{_AT}/run_config.py#L509"),
}
