"""The outcomes that belong to no run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from ..contract.faults import AdapterError, in_one_line
from ..contract.instructions import find_sections
from ..contract.observation import Answered, HookResult, Load, Read, Recorded, Registered, Resources, Section, StoreCall
from ..contract.plugins import StrategyMeta
from ..contract.values import Json, Message
from .environment import content_of
from .record import Record


class LiveOutcomes:
    """Records the outcomes. The contract's `HarnessOutcomes`."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def build_failed(self, error: BaseException) -> None:
        """Record the error that building the implementation failed with."""
        self._record.created = self._record.describe(error)

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        """Record the outcome of a load."""
        record = self._record
        found = tuple(sections) if text is None else find_sections(text, record.of(Read))
        record.add(Load(n=record.n, sections=found, text=text))

    def recorded(self, value: Json) -> None:
        """Record what a role of a product has seen."""
        self._record.add(Recorded(n=self._record.n, value=value))

    def read_workspace(self, sections: Iterable[Section], text: str, empty_files: Iterable[str]) -> None:
        """Record the files that a tool read from a workspace, the whole text, and the named files without text."""
        record = self._record
        record.add(Load(n=record.n, sections=tuple(sections), text=text, empty_files=tuple(empty_files)))

    def load_failed(self, error: BaseException) -> None:
        """Record the error that ended a load."""
        record = self._record
        record.add(Load(n=record.n, error=record.describe(error)))

    def hooked(self, messages: Sequence[Message]) -> None:
        """Record the messages that the middleware's hook returned."""
        record = self._record
        record.add(HookResult(n=record.n, messages=tuple(messages)))

    def hook_failed(self, error: BaseException) -> None:
        """Record the error that the middleware's hook raised."""
        record = self._record
        record.add(HookResult(n=record.n, error=record.describe(error)))

    def answered(self, path: str, content: str | bytes | None, asked: str = "") -> None:
        """Record what the target's own backend returned for a path of the scene, or for what that stands for."""
        record = self._record
        record.add(Answered(n=record.n, path=path, asked=asked, content=content_of(content)))

    def answer_failed(self, path: str, error: BaseException, asked: str = "") -> None:
        """Record the error that the target's own backend raised."""
        record = self._record
        record.add(Answered(n=record.n, path=path, asked=asked, error=record.describe(error)))

    def store_called(
        self, method: Literal["open", "write", "close"], path: str, error: BaseException | None = None
    ) -> None:
        """Record a call of another method of the target's own backend, and its error."""
        record = self._record
        described = None if error is None else record.describe(error)
        record.add(StoreCall(n=record.n, method=method, path=path, error=described))

    def resources_grew(self, descriptors: int, threads: int, tasks: int) -> None:
        """Record what the target's process has more after many reads than before."""
        record = self._record
        record.add(Resources(n=record.n, descriptors=descriptors, threads=threads, tasks=tasks))

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        """Record a strategy that the registry lists."""
        self._record.strategies.append(_registered(provider, meta))

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        """Record what the registry returned for a provider."""
        self._record.lookups.append(_registered(provider, meta))

    def look_up_failed(self, provider: str, error: BaseException) -> None:
        """Record the error that the registry raised for a provider."""
        self._record.lookups.append(Registered(provider=provider, error=self._record.describe(error)))


def _registered(provider: str, meta: StrategyMeta) -> Registered:
    """A strategy as the record has it. Raises `AdapterError` for metadata that is none."""
    try:
        return msgspec.json.decode(msgspec.json.encode(Registered(provider=provider, meta=meta)), type=Registered)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise AdapterError(
            f"the adapter reports {meta!r:.200} as what a registry holds for {provider!r:.80}: "
            f"report a loopspec.StrategyMeta ({in_one_line(error)})"
        ) from error
