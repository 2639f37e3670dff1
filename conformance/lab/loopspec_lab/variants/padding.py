"""The variant whose caller passes a longer conversation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from loopspec.contract.actions import Action, Insert, ReplaceAll, Summarize
from loopspec.contract.agents import Summarization, doubles_of, models_of
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import HookCall, Observation
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Message
from loopspec.specification.cases import Restore

from .facts import Facts
from .variant import Variant, Varied

_EARLIER = (
    Message(role="user", content="An earlier question."),
    Message(role="assistant", content="An earlier answer."),
    Message(role="user", content="An earlier question."),
    Message(role="assistant", content=""),
)


def _without_earlier_messages(models: Collection[str], handlers: Collection[str]) -> Restore:
    """Remove the earlier exchange from every conversation that a double received.

    `models` and `handlers` are those of the agent whose caller passed the exchange: they must receive it. Raises
    `Mismatch` for a part of the exchange that is lost.
    """

    def receives(call: HookCall) -> bool:
        return call.handler in handlers and call.hook not in ("before agent", "around tool")

    def restore(seen: Observation) -> Observation:
        calls = tuple(
            replace(call, request=replace(call.request, messages=_without(call.messages, call.model in models)))
            for call in seen.model_calls
        )
        hooks = tuple(replace(call, messages=_without(call.messages, receives(call))) for call in seen.hooks)
        questions = tuple(replace(one, messages=_without(one.messages, False)) for one in seen.questions)
        executions = tuple(replace(one, inputs=_without(one.inputs, False)) for one in seen.executions)
        return replace(seen, model_calls=calls, hooks=hooks, questions=questions, executions=executions)

    return restore


def _without(messages: tuple[Message, ...], is_needed: bool) -> tuple[Message, ...]:
    size = len(_EARLIER)
    for at in range(len(messages) - size + 1):
        if messages[at : at + size] == _EARLIER:
            return (*messages[:at], *messages[at + size :])
    if is_needed:
        raise Mismatch("the earlier messages", _EARLIER, messages)
    return messages


def _padded(scene: Scene) -> Varied:
    """The scene whose caller passes an earlier exchange before each conversation."""

    def longer(run: Run) -> Run:
        if run.resume or run.history:
            return run
        return replace(run, messages=(*_EARLIER, *run.messages))

    models = frozenset(model.name for model in models_of(scene.agent))
    of_sub_agents = {double.name for agent in Facts(scene).agents[1:] for double in doubles_of(agent)}
    handlers = frozenset(double.name for double in doubles_of(scene.agent)) - of_sub_agents
    back = _without_earlier_messages(models, handlers)
    return Varied(replace(scene, runs=tuple(map(longer, scene.runs))), (back,))


def _can_be_longer(facts: Facts) -> bool:
    """Whether an agent runs with conversations that begin with the user, and nothing counts, replaces or retells.

    A place in the conversation, a summary and a full history depend on all messages.
    """
    agent = facts.scene.agent
    return (
        facts.is_run
        and all(run.messages and run.messages[0].role == "user" for run in facts.scene.runs if not run.resume)
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(tool.full_history for tool in facts.tools)
        and not (agent.failover and agent.failover.messages is not None)
        and not any(map(depends_on_places, facts.actions))
    )


def depends_on_places(action: Action) -> bool:
    """Whether the action depends on the places of messages in the whole conversation."""
    if isinstance(action, Insert):
        return action.at not in (0, None)
    return isinstance(action, ReplaceAll | Summarize)


VARIANTS = (Variant("longer-conversation", _can_be_longer, _padded),)
