"""The steps that join the parts of a stopped run to one run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from loopspec.contract.observation import Event, HookCall, Observation, RunEnd, Span, ToolRun, Waited

from .restoring import SOURCES_BY_RUN

_BEFORE_AGENT = "before agent"
_TOOL_CALLS = ("tool ", "around tool ")  # the beginnings of the names of spans that a repeated call opens again


@dataclass(frozen=True)
class WithJoinedParts:
    """Joins the parts of a run that was stopped by cancelling, the first of which has the id of the run.

    Removes the ends of the stopped parts, the outcomes of the cancel requests, and the before-agent calls of resumed
    parts, which the joined run does not have.
    """

    parts: tuple[str, ...]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with one run."""
        return _joined(seen, self.parts, self.may_remove)

    def may_remove(self, entry: object) -> bool:
        """Whether the entry exists only because the run was stopped."""
        if getattr(entry, "run", None) not in self.parts:
            return False
        match entry:
            case Event(error=error) if error is not None:
                return error.kind == "cancel"
            case RunEnd(cancelled=cancelled):
                return cancelled is not None
            case Waited():
                return True
        return _is_begun_again(entry, self.parts)


@dataclass(frozen=True)
class WithAnsweredCalls:
    """Joins the parts of a run that tools interrupted, the first of which has the id of the run.

    An interrupted call and its repetition become one call: with the beginning of the first, and the outcome of the
    second. The ends of the interrupted parts and the before-agent calls of resumed parts are removed.
    """

    parts: tuple[str, ...]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with one run."""
        first = self._first_attempts(seen.spans)
        last = {began: again for again, began in first.items()}  # in order, so that the last attempt stays
        spans = {span.n: span for span in seen.spans}
        hooks = {call.n: call for call in seen.hooks}
        runs = {run.n: run for run in seen.tool_runs}

        def at_the_first(span: Span) -> Span:
            again = spans[last.get(span.n, span.n)]
            inside = span.inside if span.inside is None else first.get(span.inside, span.inside)
            return replace(span, ended=again.ended, error=again.error, inside=inside)

        joined = replace(
            seen,
            spans=tuple(at_the_first(span) for span in seen.spans if span.n not in first),
            # the entry of a call follows the span of the call in the record
            hooks=tuple(
                replace(hooks[last.get(call.n - 1, call.n - 1) + 1], n=call.n, run=call.run)
                for call in seen.hooks
                if call.n - 1 not in first
            ),
            tool_runs=tuple(
                replace(runs[last.get(run.n - 1, run.n - 1) + 1], n=run.n, run=run.run, resumed=None)
                for run in seen.tool_runs
                if run.n - 1 not in first
            ),
        )
        return _joined(joined, self.parts, self._is_of_a_part)

    def may_remove(self, entry: object) -> bool:
        """Whether the entry exists only because a tool interrupted the run."""
        if self._is_of_a_part(entry):
            return True
        if getattr(entry, "run", None) not in self.parts[1:]:
            return False
        match entry:
            case HookCall(hook=hook):
                return hook == "around tool"
            case Span(name=name):
                return name.startswith(_TOOL_CALLS)
            case ToolRun(resumed=resumed):
                return resumed is not None
        return False

    def _is_of_a_part(self, entry: object) -> bool:
        """Whether the entry is the end of an interrupted part, or a before-agent call of a resumed one."""
        if isinstance(entry, RunEnd) and entry.run in self.parts:
            return entry.interrupted
        return _is_begun_again(entry, self.parts)

    def _first_attempts(self, spans: Sequence[Span]) -> dict[int, int]:
        """The place of the first attempt at a call, by the places of its repetitions."""
        of_part: dict[str | None, dict[tuple[str, str], list[Span]]] = {}
        for span in spans:
            if span.name.startswith(_TOOL_CALLS):
                of_part.setdefault(span.run, {}).setdefault((span.name, span.agent), []).append(span)
        first: dict[int, int] = {}
        for part, resumed in pairwise(self.parts):
            for name, calls in of_part.get(part, {}).items():
                open_calls = [span for span in calls if span.error is not None]
                for span, again in zip(open_calls, of_part.get(resumed, {}).get(name, ()), strict=False):
                    first[again.n] = first.get(span.n, span.n)
        return first


@dataclass(frozen=True)
class WithResumedRound:
    """Joins each run that was interrupted before its scene began with the run that continues it, by their ids.

    The before-agent calls of these `handlers` in the resumed runs are removed.
    """

    resumed: Mapping[str, str]
    handlers: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with one run for both parts."""
        # found before any run gets the id of its first part: an interrupt of the scene itself stays
        gone = {one.n for source in SOURCES_BY_RUN for one in getattr(seen, source) if self.may_remove(one)}
        for parts in self.resumed.items():
            seen = _joined(seen, parts, lambda entry: getattr(entry, "n", None) in gone)
        return seen

    def may_remove(self, entry: object) -> bool:
        """Whether the entry exists only because the run was interrupted before its scene began."""
        match entry:
            case RunEnd(run=run, interrupted=True) | Event(run=run, interrupt=True):
                return run in self.resumed
            case HookCall(handler=double) | Span(name=double):
                own = double.removeprefix(f"{_BEFORE_AGENT} ") in self.handlers
                return own and any(_is_begun_again(entry, parts) for parts in self.resumed.items())
        return False


def _joined(seen: Observation, parts: tuple[str, ...], is_removed: Callable[[object], bool]) -> Observation:
    """The observation without some entries, and with the id of the first part for every part."""
    kept: dict[str, tuple[object, ...]] = {}
    for source in SOURCES_BY_RUN:
        entries = [entry for entry in getattr(seen, source) if not is_removed(entry)]
        kept[source] = tuple(replace(one, run=parts[0]) if one.run in parts[1:] else one for one in entries)
    return replace(seen, **kept)


def _is_begun_again(entry: object, parts: tuple[str, ...]) -> bool:
    """Whether the entry is about a before-agent call of a resumed part."""
    match entry:
        case HookCall(hook=hook, run=run):
            return hook == _BEFORE_AGENT and run in parts[1:]
        case Span(name=name, run=run):
            return name.startswith(_BEFORE_AGENT) and run in parts[1:]
    return False
