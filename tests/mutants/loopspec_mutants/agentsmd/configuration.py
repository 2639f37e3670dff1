"""Mutants about the configuration of the AgentsMD middleware."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.targets.reference import middleware
from loopspec_reference import AgenticMessage, AnyMessage, ConfigError, MemoryBackend, ModelContext, ReadRequest, State
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, handler
from loopspec_reference.agentsmd.config import log_warning, validate

from ..registry import mutant


def _takes(reading: Callable[[Config | None], Config | None]) -> AbstractContextManager[object]:
    """Patch the validation of a configuration; `reading` returns None for a configuration that it does not change."""
    return patch.object(handler, "validate", lambda config: reading(config) or validate(config))


@mutant("AMD-CFG-01")
def invents_a_configuration() -> AbstractContextManager[object]:
    """Uses an empty backend when it receives no configuration."""
    return _takes(lambda config: None if config else Config(backend=MemoryBackend(), files=("Agents.md",)))


@mutant("AMD-CFG-02")
def accepts_a_missing_backend() -> AbstractContextManager[object]:
    """Accepts a configuration without a backend, and fails only when it reads."""
    return _takes(lambda config: config if config and config.backend is None else None)


@mutant("AMD-CFG-03")
def accepts_an_empty_list() -> AbstractContextManager[object]:
    """Accepts a configuration with an empty list of files."""
    return _takes(lambda config: config if config and config.files is not None and not config.files else None)


@mutant("AMD-CFG-03")
def has_a_default_file() -> AbstractContextManager[object]:
    """Reads "Agents.md" if the configuration has no list of files."""
    return _takes(lambda config: replace(config, files=("Agents.md",)) if config and config.files is None else None)


@mutant("AMD-CFG-04")
def takes_a_negative_limit_for_none() -> AbstractContextManager[object]:
    """Takes a negative byte limit for no limit."""
    return _takes(lambda config: replace(config, max_bytes=0) if config and config.max_bytes < 0 else None)


@mutant("AMD-CFG-04")
def takes_minus_one_for_no_limit() -> AbstractContextManager[object]:
    """Takes a byte limit of -1 for no limit."""
    return _takes(lambda config: replace(config, max_bytes=0) if config and config.max_bytes == -1 else None)


@mutant("AMD-CFG-05")
@contextmanager
def rejects_a_limit_of_zero() -> Iterator[None]:
    """Rejects a byte limit of zero, and has a very large default."""
    positive = partial(Config, max_bytes=sys.maxsize)

    def refusing(config: Config | None) -> Config:
        if config and config.max_bytes == 0:
            raise ConfigError("the byte limit is 0: give a positive number")
        return validate(config)

    with patch.object(middleware, "Config", positive), patch.object(handler, "validate", refusing):
        yield


@mutant("AMD-CFG-06")
def reads_when_it_is_built() -> AbstractContextManager[object]:
    """Reads the root folder when it is built, to check that the backend responds."""
    init = AgentsMD.__init__

    def tries(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        init(self, config, message_type)
        with suppress(StopIteration, OSError):
            self._config.backend.read(ReadRequest("/")).send(None)

    return patch.object(AgentsMD, "__init__", tries)


@mutant(
    "AMD-CFG-09",
    neighbors={
        "AMD-INJECT-08": "the rule is about agentic messages only",
        "AMD-FORMAT-14": "the rule is about agentic messages only",
    },
)
def rejects_agentic_messages() -> AbstractContextManager[object]:
    """Rejects agentic messages."""
    init = AgentsMD.__init__

    def refuses(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        if message_type is AgenticMessage:
            raise ConfigError("agentic messages are not supported")
        init(self, config, message_type)

    return patch.object(AgentsMD, "__init__", refuses)


@mutant("AMD-CFG-09")
def takes_index_zero_for_not_found() -> AbstractContextManager[object]:
    """Appends the instructions to agentic messages that begin with a user message: `find() or len()`."""
    before_model = AgentsMD.before_model

    async def misplaces(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        correct = await before_model(self, state, context)
        if correct is state or self._message_type is not AgenticMessage or MARKER not in correct.messages[0].extra:
            return correct
        instructions, *others = correct.messages
        return replace(correct, messages=(*others, instructions))

    return patch.object(AgentsMD, "before_model", misplaces)


@mutant("AMD-CFG-10", neighbors={"AMD-ERROR-10": "the first scenario also has no warning callback"})
def requires_a_warning_callback() -> AbstractContextManager[object]:
    """Rejects a configuration without a warning callback."""

    def reading(config: Config | None) -> Config | None:
        if config and config.on_warning is log_warning:
            raise ConfigError("the configuration has no warning callback")
        return None

    return _takes(reading)
