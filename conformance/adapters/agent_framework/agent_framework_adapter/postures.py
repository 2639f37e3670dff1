"""What Agent Framework does otherwise by choice: documented, with a link to its source, or measured."""

from __future__ import annotations

from loopspec import Posture

_AT = "https://github.com/microsoft/agent-framework/blob/python-1.23.0/python/packages/core/agent_framework"

POSTURES = {
    "after-order": Posture(value="reversed", link=f"{_AT}/_middleware.py#L1656"),
    "answer-event": Posture(value="after-hooks", link=f"{_AT}/_middleware.py#L642"),
    "edits-last": Posture(value="request", link=f"{_AT}/_middleware.py#L652"),
    "instruction-template": Posture(value="literal", link=f"{_AT}/_agents.py#L1003"),
    "interrupted-wrapper": Posture(value="repeated", link=f"{_AT}/_tools.py#L2542"),
    "limit-default": Posture(value="40", measured=True),  # `DEFAULT_MAX_ITERATIONS`, _tools.py#L109: no document has it
    "limit-ends": Posture(value="last-answer", link=f"{_AT}/_tools.py#L5903"),
    "limit-zero": Posture(value="refused", link=f"{_AT}/_tools.py#L1982"),
    "message-events": Posture(value="at-the-end", link=f"{_AT}/_agents.py#L1265"),
    "nesting": Posture(value="onion", link=f"{_AT}/_middleware.py#L1584"),
    "tool-failure": Posture(value="reported", link=f"{_AT}/_middleware.py#L89"),
    "unknown-tool": Posture(value="reported", link=f"{_AT}/_tools.py#L1907"),
}
