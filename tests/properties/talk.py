"""Generated conversations with both types of messages."""

from __future__ import annotations

from hypothesis import strategies as st

from loopspec_reference import (
    AgenticMessage,
    AnyMessage,
    ImagePart,
    Json,
    Message,
    Part,
    TextBlock,
    TextPart,
    ToolCall,
    ToolCallBlock,
    ToolResultBlock,
)
from loopspec_reference.agentsmd import MARKER
from loopspec_reference.values.messages import Block

TEXTS = st.one_of(st.sampled_from(["", "What is 2 + 2?", "<system-reminder>", MARKER]), st.text(max_size=8))
CALLS = st.builds(ToolCall, id=TEXTS, name=TEXTS, arguments=TEXTS)

_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(TEXTS, inner, max_size=2)),
    max_leaves=4,
)
# Of all keys, only the marker has a meaning for the middleware.
_KEYS = st.one_of(st.sampled_from([MARKER.upper(), MARKER + "_", "agentsmd"]), st.text(max_size=3))
EXTRAS = st.dictionaries(_KEYS, _VALUES, max_size=2)
MARKED = st.builds(lambda extra, value: extra | {MARKER: value}, EXTRAS, _VALUES)

_PART: st.SearchStrategy[Part] = st.one_of(st.builds(TextPart, TEXTS), st.builds(ImagePart, TEXTS, TEXTS))
_PARTS: st.SearchStrategy[tuple[Part, ...]] = st.lists(_PART, max_size=2).map(tuple)
_BLOCKS: st.SearchStrategy[Block] = st.one_of(
    st.builds(TextBlock, TEXTS),
    st.builds(ToolCallBlock, CALLS),
    st.builds(ToolResultBlock, TEXTS, TEXTS, TEXTS, _PARTS),
)


def messages(
    message_type: type[AnyMessage], extra: st.SearchStrategy[dict[str, Json]]
) -> st.SearchStrategy[AnyMessage]:
    """Any message of this type, also one that neither a model nor a caller would write."""
    if message_type is AgenticMessage:
        roles = st.sampled_from(["system", "user", "assistant"])
        blocks = st.lists(_BLOCKS, max_size=3).map(tuple)
        return st.builds(AgenticMessage, role=roles, blocks=blocks, extra=extra)
    return st.builds(
        Message,
        role=st.sampled_from(["system", "user", "assistant", "tool"]),
        content=TEXTS,
        tool_calls=st.lists(CALLS, max_size=2).map(tuple),
        call_id=st.none() | TEXTS,
        tool_name=st.none() | TEXTS,
        parts=_PARTS,
        extra=extra,
    )


TYPES: st.SearchStrategy[type[AnyMessage]] = st.sampled_from([Message, AgenticMessage])
