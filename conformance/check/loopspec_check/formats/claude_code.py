"""Sessions of Claude Code, which it stores below `~/.claude/projects`: a tree of records with messages of Anthropic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..history import Entry, Format, Message, Session
from ..values import Record, text
from .anthropic import entries_of

_WITHOUT_MESSAGE = {"file-history-snapshot", "last-prompt", "queue-operation", "summary"}
_KEYS = {"leafUuid", "messageId", "sessionId"}
_ANSWER = ("message", "id")  # of the answer that a record is a block of


def _recognizes(record: Record) -> bool:
    what, fields = record.text("type"), record.fields.keys()
    is_marked = bool(_KEYS & fields) if what in _WITHOUT_MESSAGE else {"parentUuid", "sessionId"} <= fields
    return what != "" and is_marked


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """The conversation of the file, and that of each sub-agent in it: the branch that ends with the last record."""
    agents: dict[str, dict[str, Record]] = {}
    for record in records:
        if "parentUuid" in record.fields and (uuid := record.text("uuid")):
            agent = (record.text("agentId") or "sub-agent") if record.get("isSidechain") else ""
            agents.setdefault(agent, {})[uuid] = record
    for agent, tree in agents.items():
        yield Session(_messages(_branch(tree)), agent)


def _branch(tree: Mapping[str, Record]) -> Iterator[Record]:
    """The last record and what precedes it: its parents, and the results of calls that were made in parallel.

    The parent of a result is the block of its call, and the next answer follows the result that came last. A record
    whose parent is missing follows the line before it, as it does when the tool reads the file.
    """
    line_before = dict(zip([*tree][1:], tree, strict=False))
    wanted: set[str] = set()
    uuid = next(reversed([*tree]), "")
    while uuid and uuid not in wanted:
        wanted.add(uuid)
        parent = tree[uuid].text("parentUuid")
        is_known = parent in tree or tree[uuid].get("parentUuid") is None
        uuid = parent if is_known else line_before.get(uuid, "")
    answers = {tree[uuid].text(*_ANSWER) for uuid in wanted} - {""}
    done = set[str]().union(*(_results(tree[uuid]) for uuid in wanted))
    for uuid, record in tree.items():
        ids = _results(record)
        call = text(record.get("sourceToolAssistantUUID") or record.get("parentUuid"))
        if ids and not ids & done and (call in wanted or (call in tree and tree[call].text(*_ANSWER) in answers)):
            wanted |= {uuid, call}
            done |= ids
    return (record for uuid, record in tree.items() if uuid in wanted)


def _results(record: Record) -> set[str]:
    return {block.text("tool_use_id") for block in record.parts("message", "content")} - {""}


def _messages(branch: Iterator[Record]) -> Iterator[Message]:
    """The blocks of an answer are one message, and so is what follows it: the results first, as the tool sends them."""
    answer: list[Entry] = []
    user: list[Entry] = []
    current = ""
    for record in branch:
        is_answer, own = record.get("type") == "assistant", record.text(*_ANSWER)
        if record.text("type") not in ("assistant", "user") or record.get("isApiErrorMessage"):
            continue
        if is_answer and (own != current or not current or any(one.kind != "result" for one in user)):
            yield from _sent(answer, user)
            answer, user, current = [], [], own
        is_claude = record.text("message", "model").startswith("claude")
        entries = entries_of(record.inside("message"))
        (answer if is_answer else user).extend(one for one in entries if one.fault != "CHECK-16" or is_claude)
    yield from _sent(answer, user)


def _sent(answer: Sequence[Entry], user: Sequence[Entry]) -> Iterator[Message]:
    """What is sent of an answer and of what follows it: no empty text, and no thought alone."""
    sent = [one for one in answer if one.content or one.kind == "call"]
    if answer:
        yield sent if any(one.kind != "thought" for one in sent) else ()
    if user:
        yield sorted(user, key=lambda one: one.kind != "result")


FORMAT = Format("claude-code", _recognizes, _sessions)
