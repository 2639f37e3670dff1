"""The harness's own record of one scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec.structs import replace

from ..contract.errors import UnhandledErrors, describe
from ..contract.harness import Waiter
from ..contract.observation import Entry, Event, HookCall, ModelCall, Observation, Registered, RunEnd, Span, ToolRun
from ..contract.scene import HeldCall
from ..contract.values import Error, ErrorKind, Json, Value
from .gates import Gates

# The run that a double is called in, and its context values: `await` carries both along.
current_run: ContextVar[str | None] = ContextVar("loopspec_run", default=None)
current_context: ContextVar[Mapping[str, Json]] = ContextVar("loopspec_context")

E = TypeVar("E", bound=Value)
N = TypeVar("N", bound=Entry)

# The part of an Observation that an entry belongs to, by the type of the entry.
_PARTS = {get_args(hint)[0]: part for part, hint in get_type_hints(Observation).items() if get_origin(hint) is tuple}


def cannot_wait() -> Waiter:
    """The way of waiting where no driver is attached. Raises `RuntimeError`."""
    raise RuntimeError("the scene holds this call, and an implementation that does not await cannot be held")


class Record:
    """Every call of a double, in order, and the gates over the calls.

    `held` are the calls that the scene holds. `kinds` are the implementation's own exceptions as the contract's kinds;
    `new_waiter` is the driver's way to wait.
    """

    def __init__(self, held: Sequence[HeldCall] = ()) -> None:
        self.gates = Gates(held)
        self.unhandled = UnhandledErrors()
        self.kinds: Mapping[type[BaseException], ErrorKind] = {}
        self.new_waiter: Callable[[], Waiter] = cannot_wait
        self.created: Error | None = None
        self.languages: list[str] = []
        self.log: list[str] = []
        self.strategies: list[Registered] = []
        self.lookups: list[Registered] = []
        self.played: Counter[tuple[str, str | None]] = Counter()  # calls of a model in a run, until the run dies
        self._entries: list[Value] = []
        self._around: list[tuple[Hashable, int]] = []
        self._begun: dict[Hashable, int | None] = {}
        self._died: dict[str | None, int] = {}

    @property
    def n(self) -> int:
        """The place of the next entry."""
        return len(self._entries)

    def add(self, entry: Value) -> None:
        """Add an entry; then release the doubles that waited for it."""
        self._entries.append(entry)
        self.gates.settle()

    def enter(self, kind: type[N], /, **fields: Any) -> N:  # Any: fields of the kind, which its constructor checks
        """Add an entry of a kind and return it: with its number, and where it has them, the current run and context."""
        if "run" not in fields and "run" in kind.__struct_fields__:
            fields["run"] = current_run.get()
        if "context" not in fields and "context" in kind.__struct_fields__:
            fields["context"] = dict(current_context.get({}))
        entry = kind(n=self.n, **fields)
        self.add(entry)
        return entry

    def update(self, entry: HookCall | ModelCall | ToolRun) -> None:
        """Replace the entry with the same number, now that more is known."""
        if not self.has_died(entry.run):
            self._entries[entry.n] = entry

    @contextmanager
    def span(self, name: str, agent: str, around: Hashable = None, encloses: bool = False) -> Iterator[None]:
        """Mark everything done inside as a call of a double.

        `around` names the call that several nested doubles are about; only doubles that call an inner endpoint enclose
        others.
        """
        n, run = self.point(name, agent, around), current_run.get()
        mine = (around, n)
        if encloses:
            self._around.append(mine)
        try:
            yield
        except Exception as raised:
            self.unhandled.add(run, raised)
            self._end(n, run, self.describe(raised))
            raise
        else:
            self._end(n, run, None)
        finally:  # a call that was cancelled, or a stream that was closed early, has never returned
            if encloses:
                self._around.remove(mine)

    def _end(self, n: int, run: str | None, error: Error | None) -> None:
        opened = self._entries[n]
        assert isinstance(opened, Span)
        if not self.has_died(run):
            self._entries[n] = replace(opened, ended=self.n, error=error)
        self.gates.returned(opened.name, run)
        self.gates.settle()

    def point(
        self, name: str, agent: str, around: Hashable = None, part: Literal["first", "last"] | None = None
    ) -> int:
        """Mark a point in time; return its place.

        The last point of a call belongs where its first one was: wrappers around a stream have returned before it ends,
        and a callback from elsewhere may come at any time.
        """
        inside = next((at for call, at in reversed(self._around) if call == around), None) if around else None
        if part == "first":
            self._begun[around] = inside
        elif part == "last":
            inside = self._begun.get(around, inside)
        self.add(Span(n=(n := self.n), name=name, agent=agent, run=current_run.get(), inside=inside))
        return n

    async def hold(self, double: str, number: int) -> None:
        """Wait for the gates of the call with this number in the current run, if the scene holds this call."""
        await self.gates.hold(double, current_run.get(), number, self.new_waiter)

    def dies(self, run: str) -> None:
        """Leave out what a run does from now on, the ends of its calls under way too."""
        self._died[run] = self.n

    def has_died(self, run: str | None) -> bool:
        """Return whether the process of a run has died."""
        return run in self._died

    def _kept(self) -> list[Value]:
        """The entries, without what runs have done after their death; that they have ended is kept.

        None of their events is kept: which of them reach a caller before the death is a matter of chance.
        """
        if not self._died:
            return self._entries
        return [entry for at, entry in enumerate(self._entries) if self._is_kept(entry, at)]

    def _is_kept(self, entry: Value, at: int) -> bool:
        death = self._died.get(getattr(entry, "run", None))
        return death is None or isinstance(entry, RunEnd) or (at < death and not isinstance(entry, Event))

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entries of one kind."""
        return tuple([entry for entry in self._kept() if isinstance(entry, kind)])

    def describe(self, error: BaseException) -> Error:
        """Return the contract's error for an exception of the implementation."""
        return describe(error, self.kinds, self.unhandled)

    def observation(self) -> Observation:
        """Return everything, as one value."""
        parts: dict[str, list[Value]] = {}
        for entry in self._kept():
            parts.setdefault(_PARTS[type(entry)], []).append(entry)
        return Observation(
            created=self.created,
            languages=tuple(self.languages),
            log=tuple(self.log),
            strategies=tuple(self.strategies),
            lookups=tuple(self.lookups),
            stuck=tuple(self.gates.stuck),
            unreached=tuple(self.gates.unreached),
            **{part: tuple(entries) for part, entries in parts.items()},  # type: ignore[arg-type]  # see `_PARTS`
        )
