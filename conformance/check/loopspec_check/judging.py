"""What is wrong with a history: one pass over its entries, which keeps the calls and no contents."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from .history import Entry, Session
from .rules import known, made_up
from .values import Keys

_CONTEXT = 3  # entries that are shown with a finding
_WITH_THOUGHTS = ("thought", "answer", "call")  # the entries of an answer


class Finding(Struct):
    """Something wrong in a history: the rule, the place, and the entries before it.

    `values` fill the message of the rule. `refused_by` are the providers that refuse the next request.
    """

    rule: str
    line: int
    values: Mapping[str, str] = {}
    message: int = 0
    at: Keys = ()
    context: tuple[Entry, ...] = ()
    refused_by: tuple[str, ...] = ()


class _Call(Struct, gc=False):
    """A call, the number of its results, and the message that followed it before its first result."""

    entry: Entry
    context: tuple[Entry, ...]
    results: int = 0
    closed_by: Entry | None = None


def judged(session: Session, providers: tuple[str, ...]) -> tuple[Finding, ...] | None:
    """What is wrong with a session whose next request goes to one of the providers, by line; None if it is empty."""
    judge = _Judge(providers, is_part=session.is_part)
    for number, message in enumerate(session.messages, 1):
        for entry in message:
            entry.message = number
            judge.add(entry)
    return judge.findings()


class _Judge:
    """Judges one session: `add` takes its entries in their order, `findings` ends it."""

    def __init__(self, providers: tuple[str, ...], *, is_part: bool) -> None:
        self._providers = providers
        self._is_part = is_part
        self._found: list[Finding] = []
        self._before: deque[Entry] = deque(maxlen=_CONTEXT)
        self._calls: dict[str, _Call] = {}
        self._open: dict[str | tuple[str], deque[_Call]] = {}  # calls without a result, by their id, or else their name
        self._lost: list[_Call] = []  # calls without a result whose key a later answer has again
        self._latest: list[_Call] = []  # those of the latest answer
        self._orphans: dict[str, list[tuple[Entry, tuple[Entry, ...]]]] = {}
        self._thought: Entry | None = None
        self._began = False
        self._runs: dict[str, bool] = {}  # whether a return to the run was found
        self._run = ""
        self._ended: Entry | None = None

    def add(self, entry: Entry) -> None:
        self._before.append(entry)
        if entry.run or self._ended is not None or entry.kind == "end":
            self._judge_run(entry)
        if self._thought is not None or entry.kind == "thought":
            self._judge_thought(entry)
        if entry.fault:
            self._find(entry.fault, entry)
        if entry.kind == "result":
            self._judge_result(entry)
            return
        if not self._began:
            self._judge_beginning(entry)
        if self._latest and entry.kind != "end" and entry.message != self._latest[0].entry.message:
            for call in self._latest:
                call.closed_by = entry
            self._latest = []
        if entry.kind == "call":
            self._judge_call(entry)
        elif entry.kind in ("user", "answer") and _is_empty(entry.content):
            self._find("CHECK-09", entry)

    def findings(self) -> tuple[Finding, ...] | None:
        if not self._before:
            return None
        if self._thought is not None:
            self._find("CHECK-14", self._thought)
        for call in chain(self._lost, *self._open.values()):
            if call.closed_by is not None:
                context = (*call.context, call.closed_by)
                self._find("CHECK-01", call.entry, context, before=str(call.closed_by.message))
            elif call.entry.status != "waits":
                self._find("CHECK-02", call.entry, call.context)
        for result, context in chain(*self._orphans.values()):
            self._find("CHECK-03", result, context)
        return tuple(sorted(self._found, key=lambda one: (one.line, one.message)))

    def _judge_beginning(self, entry: Entry) -> None:
        self._began = entry.kind not in ("system", "end")
        if self._began and entry.kind not in ("user", "summary"):  # a summary stands for the beginning
            self._find("CHECK-15", entry)

    def _judge_call(self, entry: Entry) -> None:
        if not isinstance(entry.content, dict):
            self._find("CHECK-08", entry)
        call = _Call(entry, tuple(self._before))
        self._latest.append(call)
        if entry.id:
            for result, context in self._orphans.pop(entry.id, ()):
                self._find("CHECK-07", result, context, later=str(entry.message))
                call.results += 1
            earlier = self._calls.setdefault(entry.id, call)
            if earlier is not call:
                same = (earlier.entry.name, earlier.entry.content) == (entry.name, entry.content)
                rule = "CHECK-10" if earlier.results and same else "CHECK-05"
                self._find(rule, entry, first=str(earlier.entry.message))
        if not call.results:
            alike = self._open.setdefault(entry.id or (entry.name,), deque())
            if alike and alike[0].closed_by is not None:
                self._lost += alike
                alike.clear()
            if not (alike and entry.id):
                alike.append(call)

    def _judge_result(self, entry: Entry) -> None:
        alike = self._open.get(entry.id or (entry.name,))
        call = alike.popleft() if alike else None
        if call is None:
            if entry.id in self._calls:
                self._find("CHECK-04", entry)
            elif not self._is_part:
                self._orphans.setdefault(entry.id, []).append((entry, tuple(self._before)))
            return
        call.results += 1
        if call.closed_by is not None:
            self._find("CHECK-06", entry, between=str(call.closed_by.message))
        if entry.status == "done" and isinstance(entry.content, str) and made_up().match(entry.content):
            self._find("CHECK-13", entry)

    def _judge_thought(self, entry: Entry) -> None:
        thought = self._thought
        if thought is not None and not (entry.message == thought.message and entry.kind in _WITH_THOUGHTS):
            self._find("CHECK-14", thought)
        self._thought = entry if entry.kind == "thought" else None

    def _judge_run(self, entry: Entry) -> None:
        if entry.run and entry.run != self._run:
            if self._runs.get(entry.run) is False:
                self._runs[entry.run] = True
                self._find("CHECK-11", entry, run=entry.run, other=self._run)
            self._run = entry.run
            self._runs.setdefault(entry.run, False)
        if entry.kind == "end":
            self._ended = entry
        elif entry.kind == "user":
            self._ended = None
        elif self._ended is not None and entry.run == self._ended.run and entry.kind in ("answer", "call"):
            self._find("CHECK-12", entry, end=str(self._ended.line))
            self._ended = None

    def _find(self, rule: str, entry: Entry, context: tuple[Entry, ...] | None = None, **values: str) -> None:
        severity, refused = known().rules[rule].severity, known().rules[rule].refused
        refused_by = tuple(name for name in self._providers if name in refused)
        if not refused_by and severity == "warning" and refused:
            return  # what only other providers refuse
        values = {"id": entry.id, "name": entry.name, **values}
        context = tuple(self._before) if context is None else context
        self._found.append(Finding(rule, entry.line, values, entry.message, entry.at, context, refused_by))


def _is_empty(content: object) -> bool:
    return not content or (isinstance(content, str) and content.isspace())
