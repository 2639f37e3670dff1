"""Mutants about configuring the handler."""

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
    """Take some configurations in a way of one's own; None: this one is none of them."""
    return patch.object(handler, "validate", lambda config: reading(config) or validate(config))


@mutant("AMD-CFG-01")
def makes_up_a_configuration() -> AbstractContextManager[object]:
    """Works with an empty backend when it is given no configuration."""
    return _takes(lambda config: None if config else Config(backend=MemoryBackend(), files=("Agents.md",)))


@mutant("AMD-CFG-02")
def misses_the_backend_only_when_it_reads() -> AbstractContextManager[object]:
    """Does not look for a backend before it needs one."""
    return _takes(lambda config: config if config and config.backend is None else None)


@mutant("AMD-CFG-03")
def accepts_an_empty_list() -> AbstractContextManager[object]:
    """Asks only that there is a list of files, not that a file is in it."""
    return _takes(lambda config: config if config and config.files is not None and not config.files else None)


@mutant("AMD-CFG-03")
def has_a_default_file() -> AbstractContextManager[object]:
    """Takes "Agents.md" for the file when it is given no list of files."""
    return _takes(lambda config: replace(config, files=("Agents.md",)) if config and config.files is None else None)


@mutant("AMD-CFG-04")
def takes_a_negative_limit_for_none() -> AbstractContextManager[object]:
    """Reads a byte limit below zero as no limit."""
    return _takes(lambda config: replace(config, max_bytes=0) if config and config.max_bytes < 0 else None)


@mutant("AMD-CFG-04")
def takes_minus_one_for_no_limit() -> AbstractContextManager[object]:
    """Reads a byte limit of -1 as no limit."""
    return _takes(lambda config: replace(config, max_bytes=0) if config and config.max_bytes == -1 else None)


@mutant("AMD-CFG-05")
@contextmanager
def takes_zero_for_a_mistake() -> Iterator[None]:
    """Has a limit nobody reaches for its default, and refuses a limit of zero."""
    positive = partial(Config, max_bytes=sys.maxsize)

    def refusing(config: Config | None) -> Config:
        if config and config.max_bytes == 0:
            raise ConfigError("the byte limit is 0: give a positive number")
        return validate(config)

    with patch.object(middleware, "Config", positive), patch.object(handler, "validate", refusing):
        yield


@mutant("AMD-CFG-06")
def tries_out_the_backend() -> AbstractContextManager[object]:
    """Reads the root folder when it is created, to see whether the backend answers."""
    init = AgentsMD.__init__

    def tries(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        init(self, config, message_type)
        with suppress(StopIteration, OSError):
            self._config.backend.read(ReadRequest("/")).send(None)

    return patch.object(AgentsMD, "__init__", tries)


@mutant(
    "AMD-CFG-09",
    neighbors={
        "AMD-INJECT-08": "it is about agentic messages only",
        "AMD-FORMAT-14": "it is about agentic messages only",
    },
)
def knows_only_plain_messages() -> AbstractContextManager[object]:
    """Refuses to serve agentic messages."""
    init = AgentsMD.__init__

    def refuses(self: AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        if message_type is AgenticMessage:
            raise ConfigError("agentic messages are not served")
        init(self, config, message_type)

    return patch.object(AgentsMD, "__init__", refuses)


@mutant("AMD-CFG-09")
def takes_place_zero_for_no_place() -> AbstractContextManager[object]:
    """Puts the instructions last among agentic messages that begin with a user message: `find() or len()`."""
    before_model = AgentsMD.before_model

    async def misplaces(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        right = await before_model(self, state, context)
        if right is state or self._message_type is not AgenticMessage or MARKER not in right.messages[0].extra:
            return right
        instructions, *others = right.messages
        return replace(right, messages=(*others, instructions))

    return patch.object(AgentsMD, "before_model", misplaces)


@mutant("AMD-CFG-10", neighbors={"AMD-ERROR-10": "in its first scenario, too, nobody takes the warnings"})
def wants_somebody_to_take_warnings() -> AbstractContextManager[object]:
    """Refuses a configuration that names nobody to take the warnings."""

    def reading(config: Config | None) -> Config | None:
        if config and config.on_warning is log_warning:
            raise ConfigError("the configuration names nobody to take the warnings")
        return None

    return _takes(reading)
