"""What LangChain documents to do otherwise, each choice with the document or the source file that says so."""

from __future__ import annotations

from loopspec import Posture

_DOCUMENTS = "https://docs.langchain.com/oss/python/langchain/middleware"
_AGENTS = "https://github.com/langchain-ai/langchain/blob/master/libs/langchain_v1/langchain/agents"
_TOOLS = "https://github.com/langchain-ai/langgraph/blob/main/libs/prebuilt/langgraph/prebuilt/tool_node.py"

POSTURES = {
    "after-order": Posture(value="reversed", link=f"{_DOCUMENTS}/custom#execution-order"),
    "instruction-place": Posture(value="request", link=f"{_AGENTS}/factory.py"),
    "instruction-template": Posture(value="literal", link=f"{_AGENTS}/factory.py"),
    "limit-default": Posture(value="unlimited", link=f"{_DOCUMENTS}/built-in#model-call-limit"),
    "limit-zero": Posture(value="no-call", link=f"{_AGENTS}/middleware/model_call_limit.py"),
    "same-name": Posture(value="accepted", link=_TOOLS),
    "unknown-tool": Posture(value="reported", link=_TOOLS),
}
