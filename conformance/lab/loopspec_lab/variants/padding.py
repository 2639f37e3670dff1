"""The variant whose caller passes a longer conversation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from loopspec.contract.actions import Action, Insert, ReplaceAll, Summarize
from loopspec.contract.agents import Summarization, doubles_of, models_of
from loopspec.contract.around import Redact
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


Messages = tuple[Message, ...]


def _without_earlier_messages(earlier: Messages, models: Collection[str], handlers: Collection[str]) -> Restore:
    """Remove the earlier exchange from every conversation that a double received.

    `models` and `handlers` are those of the agent whose caller passed the exchange: they must receive it. Raises
    `Mismatch` for a part of the exchange that is lost.
    """

    def receives(call: HookCall) -> bool:
        return call.handler in handlers and call.hook not in ("before agent", "around tool")

    def without(messages: Messages, is_needed: bool) -> Messages:
        alike, wanted = _nameless(messages), _nameless(earlier)
        for at in range(len(messages) - len(earlier) + 1):
            if alike[at : at + len(earlier)] == wanted:
                return (*messages[:at], *messages[at + len(earlier) :])
        if is_needed:
            raise Mismatch("the earlier messages", earlier, messages)
        return messages

    def restore(seen: Observation) -> Observation:
        calls = tuple(
            replace(call, request=replace(call.request, messages=without(call.messages, call.model in models)))
            for call in seen.model_calls
        )
        hooks = tuple(replace(call, messages=without(call.messages, receives(call))) for call in seen.hooks)
        questions = tuple(replace(one, messages=without(one.messages, False)) for one in seen.questions)
        executions = tuple(replace(one, inputs=without(one.inputs, False)) for one in seen.executions)
        return replace(seen, model_calls=calls, hooks=hooks, questions=questions, executions=executions)

    return restore


def _nameless(messages: Messages) -> Messages:
    """The messages without the names of tools, which not every implementation gives its results."""
    return tuple([replace(one, tool_name=None) if one.role == "tool" else one for one in messages])


def _equal_exchange(scene: Scene) -> Messages:
    """An exchange that is equal to what the scene begins and ends with: the question, the first calls, the answer."""
    turns = scene.agent.model.turns if scene.agent.model else ()
    calls = next((turn.tool_calls for turn in turns if turn.tool_calls), ())
    texts = {tool.name: tool.text for tool in scene.agent.tools}
    results = (
        Message(role="tool", content=texts.get(one.name, "ok"), tool_call_id=one.id, tool_name=one.name)
        for one in calls
    )
    question = next(run.messages[0] for run in scene.runs if not run.resume)
    answer = Message(role="assistant", content="".join(turns[-1].pieces if turns else ()) or "done")
    return (question, *([Message(role="assistant", tool_calls=calls), *results] if calls else ()), answer)


def _padded(scene: Scene, earlier: Messages) -> Varied:
    """The scene whose caller passes an earlier exchange before each conversation."""

    def longer(run: Run) -> Run:
        if run.resume or run.history:
            return run
        return replace(run, messages=(*earlier, *run.messages))

    models = frozenset(model.name for model in models_of(scene.agent))
    of_sub_agents = {double.name for agent in Facts(scene).agents[1:] for double in doubles_of(agent)}
    handlers = frozenset(double.name for double in doubles_of(scene.agent)) - of_sub_agents
    back = _without_earlier_messages(earlier, models, handlers)
    return Varied(replace(scene, runs=tuple(map(longer, scene.runs))), (back,))


def _can_be_longer(facts: Facts) -> bool:
    """Whether an agent runs with conversations that begin with the user, and nothing depends on all messages."""
    begins = all(run.messages and run.messages[0].role == "user" for run in facts.scene.runs if not run.resume)
    return facts.is_run and begins and may_be_preceded(facts)


def may_be_preceded(facts: Facts) -> bool:
    """Whether other messages may precede those of a conversation: nothing counts, replaces, retells or stores.

    A place in the conversation, a summary and a full history depend on all messages.
    """
    failover = facts.scene.agent.failover
    return (
        not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(tool.full_history for tool in facts.tools)
        and not any(run.conversation for run in facts.scene.runs)
        and not (failover and failover.messages is not None)
        and not any(map(_depends_on_places, facts.actions))
    )


def _depends_on_places(action: Action) -> bool:
    if isinstance(action, Insert):
        return action.at not in (0, None)
    return isinstance(action, ReplaceAll | Summarize)


def _is_unchanged(facts: Facts) -> bool:
    return _can_be_longer(facts) and not facts.has_actions((Redact,))


VARIANTS = (
    Variant("longer-conversation", _can_be_longer, lambda scene: _padded(scene, _EARLIER)),
    Variant("equal-exchange-before", _is_unchanged, lambda scene: _padded(scene, _equal_exchange(scene))),
)
