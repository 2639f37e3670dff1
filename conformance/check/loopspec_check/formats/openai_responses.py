"""Items of the responses interface of OpenAI, as its requests have them, and the sessions of the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ..history import ROLES, Entry, Format, Status, call, grouped, messages_of, result, said, sessions_of, status_of
from ..values import Record, text_of

_CALLS = {
    *("function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call"),
    *("tool_search_call", "mcp_approval_request"),
}
_RESULTS = {f"{call}_output" for call in _CALLS} | {"tool_search_output", "mcp_approval_response"}
_BY_PROVIDER = {
    *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"),
    *("mcp_list_tools", "program", "program_output", "tool_search_call", "tool_search_output", "item_reference"),
}
_ARGUMENTS = ("input", "action", "actions", "operation")  # the keys of a call without `arguments`
_SUMMARIES = {"compaction", "compaction_summary", "context_compaction"}
_PARTS = {"input_text", "input_image", "input_file", "output_text"}


def _recognizes(item: Record) -> bool:
    is_message = item.text("role") in ROLES and any(part.text("type") in _PARTS for part in item.parts("content"))
    is_thought = item.get("type") == "reasoning" and "summary" in item.fields
    return is_message or is_thought or item.text("type") in _RESULTS | _CALLS | _BY_PROVIDER


def entries_of(item: Record) -> Iterator[Entry]:
    """The entry of an item; none if it says nothing about the conversation."""
    what, role, own = (item.text(key) for key in ("type", "role", "id"))
    key, content = item.text("call_id") or own, text_of(item.get("content")) or ""
    if role in ROLES and what in ("", "message"):
        yield said(item, ROLES[role], content)
    elif what in _BY_PROVIDER and not (what in _CALLS | _RESULTS and item.get("call_id")):
        yield said(item, "answer", what)
    elif what in _CALLS:
        given = {name: item.get(name) for name in _ARGUMENTS if name in item.fields}
        status: Status = "waits" if what == "mcp_approval_request" else ""
        yield call(item, key, item.text("name") or what, item.fields.get("arguments", given), status)
    elif what in _RESULTS:
        status = status_of(item.text("status")) if what == "apply_patch_call_output" else ""
        yield result(item, item.get("approval_request_id") or key, "", text_of(item.get("output")), status)
    elif what in _SUMMARIES:
        yield said(item, "summary", content)
    elif what == "reasoning" and own:  # the interface looks for what followed by the id
        yield said(item, "thought", content)


def _is_part(request: Record) -> object:
    refers = any(item.get("type") == "item_reference" for item in messages_of(request, "input"))
    return refers or request.get("previous_response_id") or request.get("conversation")


_sessions = sessions_of("input", lambda items: grouped(chain.from_iterable(map(entries_of, items))), _is_part)
FORMAT = Format("openai-responses", _recognizes, _sessions)
