"""Lawful AgentsMD implementations that differ from the reference pass every normative rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from unittest.mock import patch

import pytest

from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE
from loopspec_mutants import MUTANTS
from loopspec_mutants.rewriting import Rewriting
from loopspec_reference import AnyMessage, Backend, ReadRequest, agentsmd
from loopspec_reference.agentsmd import AgentsMD, Config, LoadWarning, Reason, Section, handler, loader
from loopspec_reference.agentsmd.mentions import mentions
from loopspec_reference.agentsmd.paths import clean_path, resolve_all

from .judging import Variant, must_be_lawful


def checks_files_in_the_constructor() -> AbstractContextManager[object]:
    """Reads each configured file when the middleware is built, and loads in each run as well."""
    init = AgentsMD.__init__

    def checks(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        init(self, config, message_type)
        for path in self._config.files:
            with suppress(StopIteration, OSError, RuntimeError):
                self._config.backend.read(ReadRequest(path)).send(None)

    return patch.object(AgentsMD, "__init__", checks)


@contextmanager
def reports_repeated_paths() -> Iterator[None]:
    """Warns about each path that occurs again: configured twice, imported twice by one file, or by two."""

    async def loads(
        backend: Backend, files: Sequence[str], limit: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[Section]:
        for path in (path for path, times in Counter(map(clean_path, files or ())).items() if times > 1):
            on_warning(LoadWarning(path, Reason.CYCLE))
        return await loader.load(backend, files, limit, on_warning)

    with (
        patch.object(handler, "load", loads),
        patch.object(agentsmd, "load", loads),
        _both("warns-about-repeated-imports", "takes-a-repeated-import-for-a-cycle"),
    ):
        yield


def _both(*names: str) -> AbstractContextManager[object]:
    """The changes of two mutants at once."""
    bugs = [bug for bug in (MUTANTS[name].bug for name in names) if isinstance(bug, Rewriting)]
    return Rewriting(" and ".join(names), "", [change for bug in bugs for change in bug.changes])()


class _ConfiguredFirst(loader._Loading):
    """A load of configured files that leaves their imports for later."""

    async def add(self, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        if ancestors:
            await super().add(path, ancestors, sections)
            return
        self.seen.add(path)
        try:
            content = await self._read(ReadRequest(path))
        except Exception as error:
            if not self._is_missing(path, ancestors, error):
                raise
        else:
            if text := self._text(content):
                sections.append(Section(path, text))

    async def follow(self, path: str, text: str, sections: list[Section]) -> None:
        """Load the imports of one configured file."""
        for imported in resolve_all(mentions(text), path):
            if imported == path:
                self.warn(imported, Reason.CYCLE)
            elif imported not in self.seen and self.over_budget():
                self.warn(imported, Reason.BUDGET)
            elif imported not in self.seen:
                await self.add(imported, (path,), sections)


@contextmanager
def loads_configured_files_first() -> Iterator[None]:
    """Loads all configured files, and only then what they import."""

    async def loads(
        backend: Backend, files: Sequence[str], limit: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[Section]:
        loading, sections = _ConfiguredFirst(backend, limit, on_warning), list[Section]()
        for path in dict.fromkeys(map(clean_path, files)):
            loaded = len(sections)
            if not loading.over_budget():
                await loading.add(path, (), sections)
            if loaded and loading.over_budget():
                del sections[loaded:]
                loading.warn(path, Reason.BUDGET)
        for section in sections.copy():
            await loading.follow(section.path, section.text, sections)
        return sections

    with patch.object(handler, "load", loads), patch.object(agentsmd, "load", loads):
        yield


VARIANTS = [
    Variant(
        checks_files_in_the_constructor,
        "AMD-BACKEND-02 AMD-CACHE-01 AMD-CACHE-05 AMD-CACHE-06 AMD-CACHE-07 AMD-CACHE-11 AMD-CACHE-14 AMD-CFG-06 "
        "AMD-DEDUP-04 AMD-DEDUP-06 AMD-ERROR-06 AMD-IDEMP-02 AMD-IMPORT-16 AMD-INJECT-13 AMD-ORDER-11",
        "AMD-CFG-06 :: A readable file",
        lambda seen: [read.path for read in seen.reads],
    ),
    Variant(
        reports_repeated_paths,
        "AMD-CYCLE-06 AMD-DEDUP-07",
        "AMD-DEDUP-07 :: A path configured twice and a path imported twice",
        lambda seen: sorted(warning.path for warning in seen.warnings),
    ),
    Variant(
        loads_configured_files_first,
        "AMD-CYCLE-08 AMD-BUDGET-08",
        "AMD-CYCLE-08 :: Two configured files that import each other",
        lambda seen: [warning.path for warning in seen.warnings],
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.patch.__name__)
def test_a_variant_is_lawful(variant: Variant) -> None:
    """The roles are those of a mutant in the area, and the role in which a load is a run of an agent."""
    cases = [case for case in compiled() if case.rule.basis in NORMATIVE and case.id.startswith("AMD-")]

    must_be_lawful(variant, cases, (None, "middleware"))
