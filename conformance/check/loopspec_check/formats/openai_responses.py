"""Items of the responses interface of OpenAI, as its requests have them, and the sessions of the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ..history import Entry, Format, Keys, Kind, Status, decoded, items, mapping, text
from .lists import Place, messages_of, own_results, sessions_of, text_of

_KINDS: dict[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_CALLS = {
    *("function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call"),
    *("tool_search_call", "mcp_approval_request"),
}
_RESULTS = {f"{call}_output" for call in _CALLS} | {"tool_search_output", "mcp_approval_response"}
_BY_PROVIDER = {
    *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"),
    *("mcp_list_tools", "program", "program_output", "tool_search_call", "tool_search_output", "item_reference"),
}
_SUMMARIES = {"compaction", "compaction_summary", "context_compaction"}
_STATUS: dict[str, Status] = {"completed": "done", "failed": "failed"}
_PARTS = {"input_text", "input_image", "input_file", "output_text"}


def _is_item(value: object) -> bool:
    item = mapping(value)
    what = text(item.get("type"))
    if what == "reasoning":
        return "summary" in item
    is_message = any(text(mapping(part).get("type")) in _PARTS for part in items(item.get("content")))
    return (is_message and text(item.get("role")) in _KINDS) or what in _RESULTS | _CALLS | _BY_PROVIDER


def _recognizes(values: Sequence[object]) -> bool:
    return any(_is_item(item) for value in values for item in messages_of(value, "input"))


def _entries(places: Iterable[Place], request: Mapping[str, object]) -> Iterator[Entry]:
    refers = isinstance(places, list) and any(mapping(place[0]).get("type") == "item_reference" for place in places)
    is_part = refers or any(request.get(key) for key in ("previous_response_id", "conversation"))
    return own_results(_numbered(places), is_part=is_part)


def _numbered(places: Iterable[Place]) -> Iterator[Entry]:
    """What the model gives in items that follow each other is one answer."""
    number, before = 0, ""
    for value, line, at in places:
        if (entry := entry_of(value, number, line, at)) is None:
            continue
        by = "model" if entry.kind in ("answer", "call", "thought") else entry.kind
        number += (by, before) != ("model", "model")
        before = by
        yield msgspec.structs.replace(entry, message=number)


def entry_of(value: object, number: int, line: int, at: Keys) -> Entry | None:
    """The entry of an item; None if it says nothing about the conversation."""
    item = mapping(value)
    what, role, own = text(item.get("type")), text(item.get("role")), text(item.get("id"))
    call, name, content = text(item.get("call_id")) or own, "", text_of(item.get("content")) or ""
    status: Status = ""
    kind: Kind
    if role in _KINDS and what in ("", "message"):
        kind, call = _KINDS[role], ""
    elif what in _BY_PROVIDER and not (what in _CALLS | _RESULTS and item.get("call_id")):
        kind, content = "answer", what
    elif what in _CALLS:
        kind, name, content = "call", text(item.get("name")) or what, _arguments(item)
        status = "waits" if what == "mcp_approval_request" else ""
    elif what in _RESULTS:
        kind, call, content = "result", text(item.get("approval_request_id")) or call, text_of(item.get("output"))
        status = _STATUS.get(text(item.get("status")), "") if what == "apply_patch_call_output" else ""
    elif what in _SUMMARIES:
        kind = "summary"
    elif what == "reasoning" and own:  # the interface looks for what followed by the id
        kind = "thought"
    else:
        return None
    return Entry(kind=kind, message=number, line=line, at=at, id=call, name=name, content=content, status=status)


def _arguments(item: Mapping[str, object]) -> object:
    if "arguments" in item:
        return decoded(item["arguments"])
    return {key: item[key] for key in ("input", "action", "actions", "operation") if key in item}


OPENAI_RESPONSES = Format(
    name="openai-responses",
    title="OpenAI responses items",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "input", _entries),
    providers=("openai-responses",),
    document="https://platform.openai.com/docs/api-reference/responses",
)
