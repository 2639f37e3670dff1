"""Items of the responses interface of OpenAI, as its requests have them, and the sessions of the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..history import Entry, Format, Kind, Record
from ..values import Object, inside, items, mapping, text, text_of
from .entries import call, result, said, status_of
from .lists import numbered, own_results, placed, recognized_by, sessions_of

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
_PARTS = {"input_text", "input_image", "input_file", "output_text"}


def _is_item(item: Object) -> bool:
    what = text(item.get("type"))
    if what == "reasoning":
        return "summary" in item
    is_message = any(text(inside(part, "type")) in _PARTS for part in items(item.get("content")))
    return (is_message and text(item.get("role")) in _KINDS) or what in _RESULTS | _CALLS | _BY_PROVIDER


def entries_of(item: Object) -> Iterator[Entry]:
    """The entry of an item; none if it says nothing about the conversation."""
    what, role, own = (text(item.get(key)) for key in ("type", "role", "id"))
    key, content = text(item.get("call_id")) or own, text_of(item.get("content")) or ""
    if role in _KINDS and what in ("", "message"):
        yield said(_KINDS[role], content)
    elif what in _BY_PROVIDER and not (what in _CALLS | _RESULTS and item.get("call_id")):
        yield said("answer", what)
    elif what in _CALLS:
        name, waits = text(item.get("name")) or what, what == "mcp_approval_request"
        yield call(key, name, _arguments(item), status="waits" if waits else "")
    elif what in _RESULTS:
        status = status_of(item.get("status")) if what == "apply_patch_call_output" else ""
        yield result(item.get("approval_request_id") or key, "", text_of(item.get("output")), status=status)
    elif what in _SUMMARIES:
        yield said("summary", content)
    elif what == "reasoning" and own:  # the interface looks for what followed by the id
        yield said("thought", content)


def _arguments(item: Object) -> object:
    if "arguments" in item:
        return item["arguments"]
    return {key: item[key] for key in ("input", "action", "actions", "operation") if key in item}


def _entries(records: Iterable[Record], request: Object) -> Iterator[Entry]:
    refers = isinstance(records, list) and any(inside(one.value, "type") == "item_reference" for one in records)
    entries = (entry for record in records for entry in placed(entries_of(mapping(record.value)), record))
    return own_results(numbered(entries), refers or request.get("previous_response_id") or request.get("conversation"))


OPENAI_RESPONSES = Format(
    name="openai-responses",
    recognizes=recognized_by("input", _is_item),
    sessions=sessions_of("input", _entries),
    providers=("openai-responses",),
    document="https://platform.openai.com/docs/api-reference/responses",
)
