"""What the steps of variants report: a lost message, a part that is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopspec.contract.calls import ModelRequest
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Cancelled, HookCall, ModelCall, Observation, RunEnd, Span
from loopspec.contract.scene import Run, Scene, first_parts
from loopspec.contract.values import Error, Message, ToolCall
from loopspec.engine.checking import everything_planned_happened
from loopspec.specification.cases import Act, Case
from loopspec.specification.features import compiled
from loopspec_lab.variants import VariedCase, varied_cases
from loopspec_lab.variants.expanding import variants
from loopspec_lab.variants.joining import WithAnsweredCalls, WithJoinedParts, WithResumedRound
from loopspec_lab.variants.taking_out import WithoutEarlierCalls

PARTS = (
    Run(id="1", part="cancelled"),
    Run(id="1.2", resume="1", part="cancelled"),
    Run(id="1.3", resume="1.2", part="cancelled"),
)
SCENE = Scene(act="run", runs=PARTS)


def case_of(scene: Scene) -> Case:
    """A case without steps, with this scene."""
    return replace(compiled()[0], load=lambda: Act(scene, ()))


STOPPED = RunEnd(n=0, run="1", cancelled=Cancelled())


def test_a_part_must_follow_a_stopped_part() -> None:
    """A target that does not resume a stopped part fails."""
    with pytest.raises(Mismatch, match="was planned and never began"):
        everything_planned_happened(case_of(SCENE), Observation(runs=(STOPPED,)))


def test_no_part_follows_a_part_that_ends() -> None:
    """The number of stops is known only at run time, so the last parts of a scene need not take place."""
    everything_planned_happened(case_of(SCENE), Observation(runs=(STOPPED, RunEnd(n=1, run="1.2"))))
    everything_planned_happened(case_of(SCENE), Observation(runs=(RunEnd(n=1, run="1", interrupted=True),)))


def test_calls_count_for_the_first_part() -> None:
    """Every later part belongs to the first one."""
    assert first_parts(PARTS) == {"1.2": "1", "1.3": "1"}
    assert first_parts((Run(id="1"), Run(id="2", resume="1"))) == {}


def test_joined_parts_have_one_end_and_one_id() -> None:
    """The ends of stopped parts are removed, and the last end is that of the run."""
    seen = Observation(runs=(STOPPED, RunEnd(n=1, run="1.2", session={"k": 1})))

    assert WithJoinedParts(("1", "1.2"))(seen).runs == (RunEnd(n=1, run="1", session={"k": 1}),)


def test_an_interrupted_call_ends_with_its_repetition() -> None:
    """The joined call begins with the first attempt and ends with the second one."""
    interrupted, other = Error(kind="other"), Error(kind="scripted")
    spans = (
        Span(n=0, name="tool t", agent="a", run="1", ended=2, error=interrupted),
        Span(n=4, name="tool t", agent="a", run="1.2", ended=6, error=other),
    )

    joined = WithAnsweredCalls(("1", "1.2"))(Observation(spans=spans)).spans

    assert joined == (Span(n=0, name="tool t", agent="a", run="1", ended=6, error=other),)


def test_a_lost_message_of_the_earlier_exchange_is_reported() -> None:
    """Every model of the agent must receive the whole exchange."""
    case = _longer_conversation()
    (step,) = case.act.back
    given = case.scene.runs[0].messages
    assert case.scene.agent.model is not None
    model = case.scene.agent.model.name

    def seen(messages: tuple[Message, ...]) -> Observation:
        request = ModelRequest(messages=messages)
        return Observation(model_calls=(ModelCall(n=0, model=model, run="1", request=request),))

    assert step(seen(given)).model_calls[0].messages == case.base.scene.runs[0].messages
    with pytest.raises(Mismatch, match="the earlier messages"):
        step(seen(given[1:]))


def _longer_conversation() -> VariedCase:
    """Return a case of the variant whose agent has a model."""
    wanted = [variants()["longer-conversation"]]
    return next(
        varied for case in compiled() if case.scene.agent.model is not None for varied in varied_cases(case, wanted)
    )


def test_a_lost_result_of_an_earlier_round_is_reported() -> None:
    """A model receives each added answer with its results, and the way back leaves the messages of the scene."""
    step = WithoutEarlierCalls(("added",), "m", (), ("assistant", "tool"))
    asked = Message(role="assistant", tool_calls=(ToolCall(id="added-1", name="added"),))
    question, result = Message(role="user", content="?"), Message(role="tool", tool_call_id="added-1")

    def call(n: int, *messages: Message, answer: Message) -> ModelCall:
        return ModelCall(n=n, model="m", run="1", request=ModelRequest(messages=messages), answer=answer)

    def seen(*messages: Message) -> Observation:
        spans = tuple(Span(n=n, name="model m", agent="a", run="1") for n in (0, 2))
        calls = (call(1, question, answer=asked), call(3, *messages, answer=question))
        return Observation(spans=spans, model_calls=calls)

    restored = step(seen(question, asked, result))

    assert [one.messages for one in restored.model_calls] == [(question,)]
    assert [span.n for span in restored.spans] == [2]
    with pytest.raises(Mismatch, match="the added answers and results"):
        step(seen(question, asked))


def test_an_interrupt_of_the_scene_itself_is_kept() -> None:
    """Only the first part loses its end, and only the named handlers lose their calls in the second part."""
    hooks = tuple(HookCall(n=n, handler=name, hook="before agent", run="1.2") for n, name in ((2, "h"), (3, "other")))
    ends = (RunEnd(n=1, run="1", interrupted=True), RunEnd(n=4, run="1.2", interrupted=True))

    joined = WithResumedRound({"1": "1.2"}, frozenset({"h"}))(Observation(hooks=hooks, runs=ends))

    assert joined.runs == (RunEnd(n=4, run="1", interrupted=True),)
    assert [(call.handler, call.run) for call in joined.hooks] == [("other", "1")]
