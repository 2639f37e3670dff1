"""LangChain's choices that differ from the defaults, each with its page, or with the place in the source."""

from __future__ import annotations

from loopspec import Posture

_DOCS = "https://docs.langchain.com/oss/python/langchain"
_LANGCHAIN = "https://github.com/langchain-ai/langchain/blob/langchain%3D%3D1.5.2/libs/langchain_v1/langchain/agents"
_LANGGRAPH = "https://github.com/langchain-ai/langgraph/blob/1.2.24/libs/langgraph/langgraph"
_PREBUILT = "https://github.com/langchain-ai/langgraph/blob/prebuilt%3D%3D1.1.3/libs/prebuilt/langgraph/prebuilt"

POSTURES = {
    "after-order": Posture(value="reversed", link=f"{_DOCS}/middleware/custom"),
    "failed-sibling": Posture(value="cancelled", link=f"{_LANGGRAPH}/pregel/_runner.py#L631"),
    "instruction-place": Posture(value="request", link=f"{_LANGCHAIN}/factory.py#L1507"),
    "instruction-template": Posture(value="literal", link=f"{_LANGCHAIN}/factory.py#L1059"),
    "interrupted-wrapper": Posture(
        value="repeated",
        link="https://docs.langchain.com/oss/python/langgraph/interrupts#side-effects-called-before-interrupt-must-be-idempotent",
    ),
    "limit-default": Posture(value="unlimited", link=f"{_DOCS}/middleware/built-in#model-call-limit"),
    "limit-zero": Posture(value="no-call", link=f"{_LANGCHAIN}/middleware/model_call_limit.py#L191"),
    "same-name": Posture(value="accepted", link=f"{_PREBUILT}/tool_node.py#L806"),
    "unknown-tool": Posture(value="reported", link=f"{_PREBUILT}/tool_node.py#L1320"),
}
