"""The steps that join the parts of a stopped run to one run."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from ...contract.observation import Event, HookCall, Observation, RunEnd, Span, Waited
from .restoring import SOURCES_BY_RUN

_BEFORE_AGENT = "before agent"


@dataclass(frozen=True)
class WithJoinedParts:
    """Joins the parts of a run that was stopped by cancelling, the first of which has the id of the run.

    Removes the ends of the stopped parts, the outcomes of the cancel requests, and the before-agent calls of resumed
    parts, which the joined run does not have.
    """

    parts: tuple[str, ...]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with one run."""
        kept: dict[str, tuple[object, ...]] = {}
        for source in SOURCES_BY_RUN:
            entries = [entry for entry in getattr(seen, source) if not self.removes(entry)]
            kept[source] = tuple(replace(e, run=self.parts[0]) if e.run in self.parts[1:] else e for e in entries)
        return replace(seen, **kept)

    def removes(self, entry: object) -> bool:
        """Whether the entry exists only because the run was stopped."""
        if getattr(entry, "run", None) not in self.parts:
            return False
        match entry:
            case Event(error=error) if error is not None:
                return error.kind == "cancel"
            case RunEnd(cancelled=cancelled):
                return cancelled is not None
            case HookCall(hook=hook, run=run):
                return hook == _BEFORE_AGENT and run != self.parts[0]
            case Span(name=name, run=run):
                return name.startswith(_BEFORE_AGENT) and run != self.parts[0]
            case Waited():
                return True
        return False
