"""The state schema of a middleware, and the owner of a state."""

from __future__ import annotations

from typing import Any, Optional

import pytest
from msgspec import Struct

from loopspec_reference import AgentTool, Message, ToolCall
from loopspec_reference.plugins import HookState, Middleware, Runtime, Stack, StrategyError

from ..doubles import QUESTION, Answers, agent, drain
from .stacks import failure, stacked


class Count(Struct):
    """A state."""

    count: int = 0


class Other(Struct):
    """Another state."""


@pytest.mark.parametrize("schema", [Count, Count | None, Optional[Count]])  # noqa: UP045  # as older code has it
def test_a_state_schema_may_be_optional_as_a_whole(schema: type[Count]) -> None:
    assert Middleware("m", state_schema=schema).own_schema is Count


def test_a_middleware_without_a_state_schema() -> None:
    assert Middleware("m").own_schema is None


@pytest.mark.parametrize("schema", [Count | Other, int | None])
def test_other_unions_are_rejected(schema: type[Struct]) -> None:
    with pytest.raises(StrategyError, match=r"^the state_schema of 'm' is .*: give a subclass of msgspec\.Struct$"):
        Middleware("m", state_schema=schema)


def test_two_middlewares_with_one_name_are_rejected_in_any_stack() -> None:
    """The two middlewares would share a state; in two stacks, the error is found when the hooks are called."""
    stacks = [Stack[Message]([Middleware("m", before_model=lambda state, runtime: None)]) for _ in range(2)]
    events = drain(agent(Answers("4"), handlers=stacks).run([QUESTION]))

    assert failure(events) == "StrategyError: two middlewares of 'agent' have the name 'm': rename one"


class Row(Struct, array_like=True):
    """A struct without field names in its JSON form."""

    count: int = 0


@pytest.mark.parametrize("part", ["state_schema", "context_schema"])
def test_a_schema_without_field_names_is_rejected(part: str) -> None:
    """State and context are read by field."""
    with pytest.raises(StrategyError, match=f"^the {part} of 'm' is an array: give a schema of fields with names$"):
        Middleware("m", **{part: Row})  # type: ignore[arg-type]  # by its name


def test_an_agent_with_the_name_of_its_sub_agent_has_its_own_state() -> None:
    """States are distinguished by the path of the agent."""

    def counts(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"count": state.own.count + 1}

    middleware = Middleware("m", state_schema=Count, before_agent=counts)
    inner = stacked(Answers("inner"), middleware, name="a/b", description="Helps.")
    call = Message.assistant("", [ToolCall("1", "a/b", '{"request": "Help."}')])
    outer = stacked(Answers(call, "4"), middleware, name="a/b", tools=[AgentTool(inner)])
    session: dict[str, Any] = {}
    drain(outer.run([QUESTION], session))

    assert session == {"plugins": {"a~1b": {"m": {"count": 1}}, "a~1b/a~1b": {"m": {"count": 1}}}}
