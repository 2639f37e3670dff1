"""What cannot be built is rejected where it is built, with an error that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from loopspec_reference import (
    Agent,
    AgenticMessage,
    AgentTool,
    ConfigError,
    FailoverConfig,
    LegacyMiddleware,
    MemoryBackend,
    Message,
    MutableState,
    get_language,
    set_language,
)
from loopspec_reference.agentsmd import AgentsMD, Config

from .doubles import Answers, agent, returning

ADD = returning("add", "4")


class _WithoutTools(Answers):
    """A model that does not support tools."""

    takes_tools = False


async def _only_plain(state: MutableState[Message]) -> None:
    """A legacy function for plain messages."""


def _agentsmd(**changes: Any) -> AgentsMD[Message]:  # Any: values of several types, some of them wrong
    return AgentsMD(Config(**{"backend": MemoryBackend(), "files": ["/p/a.md"], **changes}), Message)


def _legacy(**hooks: Any) -> object:  # Any: a hook by its name
    middleware = LegacyMiddleware[Any](message_types=(Message,), **hooks)
    return Agent(model=Answers(), message_type=AgenticMessage, legacy=[middleware])


async def _backup(context: object) -> Answers:
    return Answers("4")


NOTHING: Any = None


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: Agent(model=None, message_type=Message), "model"),
        (lambda: agent(_WithoutTools("4"), tools=[ADD]), "takes tools"),
        (lambda: agent(Answers("4"), tools=[ADD, ADD]), "'add'"),
        (lambda: agent(Answers("4"), tools=[returning("", "text")]), "no name"),
        (lambda: AgentTool(agent(Answers("4"), name="", description="Knows.")), "name"),
        (lambda: AgentTool(agent(Answers("4"), name="expert", description="")), "description"),
        (lambda: FailoverConfig[Message](None, lambda error: True), "get_model"),
        (lambda: FailoverConfig[Message](_backup, None), "should_failover"),
        (lambda: _legacy(before_model=_only_plain), "before_model"),
        (lambda: _legacy(after_model=_only_plain), "after_model"),
        (lambda: AgentsMD(NOTHING, Message), "needs a configuration"),
        (lambda: _agentsmd(backend=None), "no backend"),
        (lambda: _agentsmd(files=[]), "at least one path"),
        (lambda: _agentsmd(files=None), "at least one path"),
        (lambda: _agentsmd(files="/p/a.md"), "give a list of"),
        (lambda: _agentsmd(max_bytes=-1), "the byte limit is -1"),
    ],
)
def test_a_wrong_part_is_named(build: Callable[[], object], sentence: str) -> None:
    """The error can be caught as a ValueError, too."""
    with pytest.raises(ConfigError, match=re.escape(sentence)) as raised:
        build()
    assert isinstance(raised.value, ValueError)


def test_legacy_middlewares_without_functions_support_every_message() -> None:
    """Only functions have a type of message."""
    assert _legacy()


@pytest.mark.parametrize("language", ["tlh", "", "EN", "en-GB"])
def test_an_unknown_language_is_rejected_with_the_known_ones(language: Any) -> None:  # Any: a wrong value
    """The language stays."""
    with pytest.raises(ValueError, match="choose one of en, zh"):
        set_language(language)
    assert get_language() == "en"
