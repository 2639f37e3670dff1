"""Mutants about the language of the text."""

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
def has_one_catalog() -> AbstractContextManager[object]:
    """Looks up translations when it writes its first text, and later has those and English only."""
    looked_up: list[Language] = []

    def language() -> Language:
        looked_up.append(get_language())
        return get_language() if get_language() == looked_up[0] else "en"

    return patch.object(rendering, "get_language", language)


@mutant("AMD-I18N-08")
def asks_for_the_language_when_created() -> AbstractContextManager[object]:
    """Writes in the language that was chosen when the handler was created."""
    init = AgentsMD.__init__
    languages: dict[AgentsMD[AnyMessage], Language] = {}

    def asks(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        init(self, config, message_type)
        languages[self] = get_language()

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        config = self._config
        sections = await load(config.backend, config.files, config.max_bytes, config.on_warning)
        with patch.object(rendering, "get_language", lambda: languages[self]):
            return rendering.render(sections)

    return patch.multiple(AgentsMD, __init__=asks, _load=loads)


@mutant("AMD-I18N-05")
def follows_the_language() -> AbstractContextManager[object]:
    """Writes its message anew when another language has been chosen during the run."""
    before_model = AgentsMD.before_model
    languages: dict[Run | None, Language] = {}

    async def follows(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if languages.setdefault(run, get_language()) != get_language() and run:
            languages[run] = get_language()
            delete_run_local_value(self._cache_key)
            state = replace(state, messages=tuple(m for m in state.messages if MARKER not in m.extra))
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", follows)
