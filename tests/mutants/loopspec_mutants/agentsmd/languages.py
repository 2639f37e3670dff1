"""Mutants about the language of the instructions."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, Language, ModelContext, State, delete_run_local_value, get_language
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, rendering
from loopspec_reference.agentsmd.loader import load
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant


@mutant("AMD-I18N-08")
def keeps_one_translation() -> AbstractContextManager[object]:
    """Loads the translation of its first text, and later writes only that language and English."""
    looked_up: list[Language] = []

    def language() -> Language:
        looked_up.append(get_language())
        return get_language() if get_language() == looked_up[0] else "en"

    return patch.object(rendering, "get_language", language)


@mutant("AMD-I18N-08")
def keeps_the_language_of_the_build() -> AbstractContextManager[object]:
    """Writes in the language that was set when the middleware was built."""
    init = AgentsMD.__init__
    languages: dict[AgentsMD[AnyMessage], Language] = {}

    def builds(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        init(self, config, message_type)
        languages[self] = get_language()

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        config = self._config
        sections = await load(config.backend, config.files, config.max_bytes, config.on_warning)
        with patch.object(rendering, "get_language", lambda: languages[self]):
            return rendering.render(sections)

    return patch.multiple(AgentsMD, __init__=builds, _load=loads)


@mutant("AMD-I18N-05")
def translates_during_the_run() -> AbstractContextManager[object]:
    """Writes its message again when the language changes during the run."""
    before_model = AgentsMD.before_model
    languages: dict[Run | None, Language] = {}

    async def rewrites(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if languages.setdefault(run, get_language()) != get_language() and run:
            languages[run] = get_language()
            delete_run_local_value(self._cache_key)
            state = replace(state, messages=tuple(m for m in state.messages if MARKER not in m.extra))
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", rewrites)
