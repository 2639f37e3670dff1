"""Capabilities of handlers and tools that a target declares and does not have: rules fail, and nothing is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest

from loopspec import Message, ModelRequest, Run, Stage, ToolRequest
from loopspec.contract.axes import value_on
from loopspec.contract.capabilities import Capability
from loopspec.contract.doubles import NoInside
from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget

from ..small_loops import SmallLoop

FINER: frozenset[Capability] = frozenset(
    {
        "after-agent-edits", "after-agent-hooks", "after-model-edits", "after-model-hooks", "before-agent-edits",
        "before-agent-hooks", "before-model-edits", "before-model-hooks", "incomplete-tools", "missing-results",
        "model-wrappers", "raw-arguments", "repeated-inner-calls", "several-handlers", "streaming-tools",
        "tool-options", "tool-wrappers", "tools-from-hooks",
    }
)  # fmt: skip


class Bare(SmallLoop):
    """A loop of a model and plain tools, without handlers, which parses arguments, and gives each result as a text."""

    capabilities: frozenset[Capability] = frozenset()

    async def run(self, stage: Stage, messages: list[Message], run: Run) -> None:
        """Run the agent."""
        agent = stage.scene.agent
        assert agent.model is not None
        while True:
            answer = await stage.doubles.generate(agent.model.name, ModelRequest(messages=tuple(messages)))
            answer = answer or Message(role="assistant")
            stage.runs.event(agent.name, answer)
            messages.append(answer)
            for call in answer.tool_calls:
                if call.name not in {tool.name for tool in agent.tools}:
                    raise LookupError(call.name)
                args = json.dumps(json.loads(call.args or "{}"))
                request = ToolRequest(tool=call.name, call_id=call.id, args=args)
                result = await stage.doubles.invoke(request, NoInside())
                text = result.text if result is not None else ""
                message = Message(role="tool", content=text, tool_call_id=call.id, tool_name=call.name)
                stage.runs.event(agent.name, message)
                messages.append(message)
            if not answer.tool_calls:
                return


def declaring(capabilities: frozenset[Capability]) -> Iterator[Target]:
    class Declaring(Bare):
        pass

    Declaring.capabilities = capabilities
    with closing(PythonTarget(Declaring, "made here")) as target:
        yield target


@pytest.fixture(scope="module")
def everything() -> Iterator[Target]:
    """A target that declares all of the capabilities and has none of them."""
    yield from declaring(FINER)


def _has_defaults(case: Case) -> bool:
    """Whether a target without postures performs the case."""
    return all(value_on(axis, {}) == value for axis, value in case.postures.items())


def cases_of(capability: Capability) -> list[Case]:
    """The cases of an agent that need this capability, and nothing but the capabilities of this module."""
    return [
        case
        for case in compiled()
        if capability in case.needs <= FINER and "agent" in case.roles and _has_defaults(case)
    ]


@pytest.mark.parametrize("capability", sorted(FINER))
def test_a_capability_that_is_declared_and_missing_fails(capability: Capability, everything: Target) -> None:
    """At least one case fails, and each case has a verdict about the target, not about its adapter."""
    verdicts = [judge(case, everything).verdict for case in cases_of(capability)]

    assert "failed" in verdicts
    assert set(verdicts) <= {"failed", "passed"}
