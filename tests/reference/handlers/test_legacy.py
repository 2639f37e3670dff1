"""Legacy middlewares and tool middlewares."""

from __future__ import annotations

import pytest

from loopspec_reference import (
    Agent,
    AgenticMessage,
    ConfigError,
    LegacyMiddleware,
    Message,
    MutableState,
)

from ..doubles import Answers


@pytest.mark.parametrize("hook", ["before_model", "after_model"])
def test_functions_for_another_type_of_message_are_rejected(hook: str) -> None:
    """The error names the function; a middleware without functions supports any type of message."""

    async def only_messages(state: MutableState[AgenticMessage]) -> None:
        raise AssertionError("never")

    class Model(Answers):
        pass

    legacy = LegacyMiddleware[AgenticMessage](message_types=(Message,), **{hook: only_messages})  # type: ignore[arg-type]  # the name of a hook
    with pytest.raises(ConfigError, match=hook):
        Agent(model=Model(), message_type=AgenticMessage, legacy=[legacy])  # type: ignore[misc]  # never called
    plain = LegacyMiddleware[AgenticMessage](message_types=(Message,))
    Agent(model=Model(), message_type=AgenticMessage, legacy=[plain])  # type: ignore[misc]  # never called
