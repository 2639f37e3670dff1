"""What Google ADK documents to do otherwise, each choice with the document or the place in its source that says so."""

from __future__ import annotations

from loopspec import Posture

_DOCUMENTS = "https://adk.dev"
_AT = "https://github.com/google/adk-python/blob/v2.13.0/src/google/adk"

POSTURES = {
    "answer-event": Posture(
        value="after-hooks", link=f"{_DOCUMENTS}/callbacks/types-of-callbacks/#after-model-callback"
    ),
    "calls-without-tools": Posture(value="reported", link=f"{_AT}/flows/llm_flows/tools/_error_handler.py#L87"),
    "chain": Posture(value="first-answer", link=f"{_AT}/agents/llm_agent.py#L513"),
    "edits-last": Posture(value="request", link=f"{_AT}/agents/llm_agent.py#L502"),
    "failed-sibling": Posture(value="cancelled", link=f"{_AT}/agents/llm_agent.py#L581"),
    "limit-default": Posture(
        value="500", link=f"{_DOCUMENTS}/runtime/runconfig/#configure-runtime-limits-and-debugging"
    ),
    "limit-zero": Posture(value="unlimited", link=f"{_AT}/agents/run_config.py#L287"),
    "same-name": Posture(value="accepted", link=f"{_AT}/models/llm_request.py#L310"),
    "tool-information": Posture(value="at-build", link=f"{_AT}/tools/base_tool.py#L126"),
    "unknown-tool": Posture(value="reported", link=f"{_AT}/flows/llm_flows/tools/_error_handler.py#L87"),
}
