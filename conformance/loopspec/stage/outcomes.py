"""The outcomes that belong to no run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from ..contract.errors import wraps_missing_file
from ..contract.faults import AdapterError, in_one_line
from ..contract.instructions import find_sections
from ..contract.observation import Answered, Entry, Load, Read, Recorded, Registered, Section
from ..contract.plugins import StrategyMeta
from ..contract.values import Json
from .environment import content_of
from .record import Record


class LiveOutcomes:
    """Records the outcomes. The contract's `HarnessOutcomes`."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def build_failed(self, error: BaseException) -> None:
        self._record.created = self._record.describe(error)

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        found = tuple(sections) if text is None else find_sections(text, self._record.of(Read))
        self._record.enter(Load, sections=found, text=text)

    def recorded(self, value: Json) -> None:
        self._record.enter(Recorded, value=value)

    def enter(self, kind: type[Entry], error: BaseException | None = None, **outcome: Any) -> None:
        if error is not None:
            outcome["error"] = self._record.describe(error)
        self._record.enter(kind, **outcome)

    def load_failed(self, error: BaseException) -> None:
        self.enter(Load, error)

    def answered(self, path: str, content: str | bytes | None, asked: str = "") -> None:
        self._record.enter(Answered, path=path, asked=asked, content=content_of(content))

    def answer_failed(self, path: str, error: BaseException, asked: str = "") -> None:
        described = self._record.describe(error)
        if wraps_missing_file(error):  # a loader skips the file, whatever else the error is
            described = replace(described, kind="not_exist")
        self._record.enter(Answered, path=path, asked=asked, error=described)

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        self._record.strategies.append(_registered(provider, meta))

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        self._record.lookups.append(_registered(provider, meta))

    def look_up_failed(self, provider: str, error: BaseException) -> None:
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
