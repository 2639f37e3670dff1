"""Callbacks about failed model calls, and their answers."""

from __future__ import annotations

import pytest

from loopspec import Message, ScriptedError
from loopspec.contract.agents import Agent, Failover, Model, Retry, Tool
from loopspec.contract.calls import ChosenModel
from loopspec.contract.observation import Question
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Called, Error, ErrorKind
from loopspec.stage import LiveStage

from ..staging import staged

HELLO = Message(role="user", content="Hello.")
E, F = ScriptedError("E"), ScriptedError("F")
WORD = Error(kind="scripted", code="E", message="scripted error E")
RUN = Run(id="1")


class Exhausted(Exception):
    """An implementation's error for exhausted retries."""

    def __init__(self, last: BaseException) -> None:
        super().__init__("exhausted")
        self.last = last


KINDS: dict[type[BaseException], ErrorKind] = {Exhausted: "retries_exhausted"}


def test_whether_an_error_is_retryable() -> None:
    """The codes of the scene can be retried, or every error if the scene names none. The callback is recorded."""
    inner = Agent(name="inner", model=None, retry=Retry(codes=("E",)))
    agent = Agent(tools=(Tool(name="inner", agent=inner),), retry=Retry())

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            answers = [stage.recovery.retryable("inner", error) for error in (E, F, OSError("no"))]
            assert answers == [True, False, False]
            assert [stage.recovery.retryable("agent", error) for error in (E, F)] == [True, True]

    seen = staged(Scene(act="run", agent=agent, runs=(RUN,)), steps)
    assert seen.questions[0] == Question(n=0, what="retryable", run="1", agent="inner", error=WORD)
    assert [(asked.agent, asked.error and asked.error.kind) for asked in seen.questions[1:]] == [
        ("inner", "scripted"),
        ("inner", "io"),
        ("agent", "scripted"),
        ("agent", "scripted"),
    ]


@pytest.mark.parametrize(
    ("retry", "text", "error", "answer"),
    [
        (Retry(rejects=("no",)), "no", None, False),
        (Retry(rejects=("no",)), "yes", None, None),
        (Retry(rejects=("no",)), None, E, False),
        (Retry(codes=("E",)), None, E, False),
        (Retry(codes=("E",)), None, F, True),
        (Retry(codes=("E",)), None, None, True),
        (Retry(), None, None, False),
    ],
)
def test_whether_an_attempt_is_accepted(
    retry: Retry, text: str | None, error: Exception | None, answer: bool | None
) -> None:
    """A rejected text and a retryable error are not accepted; otherwise there is no decision."""
    reply = None if text is None else Message(role="assistant", content=text)

    async def steps(stage: LiveStage) -> None:
        assert stage.recovery.accepted("agent", 2, [HELLO], reply, error) is answer

    seen = staged(Scene(act="run", agent=Agent(retry=retry)), steps)
    said = None if error is None else Error(kind="scripted", code=getattr(error, "code", None), message=str(error))
    assert seen.questions == (
        Question(n=0, what="accepted", run=None, agent="agent", number=2, error=said, messages=(HELLO,), answer=text),
    )


def test_how_long_to_wait_before_a_retry() -> None:
    """The delay in seconds is the number of the retry."""

    async def steps(stage: LiveStage) -> None:
        assert [stage.recovery.delay("agent", retry) for retry in (1, 2)] == [1.0, 2.0]

    seen = staged(Scene(act="run", agent=Agent(retry=Retry(delays=True))), steps)
    assert [(asked.what, asked.agent, asked.number) for asked in seen.questions] == [
        ("delay", "agent", 1),
        ("delay", "agent", 2),
    ]


@pytest.mark.parametrize(
    ("failover", "error", "answer"),
    [
        (Failover(), E, True),
        (Failover(codes=("E",)), E, True),
        (Failover(codes=("E",)), F, False),
        (Failover(codes=()), E, False),
        (Failover(codes=("E",)), Exhausted(E), True),
        (Failover(codes=("E",)), Exhausted(F), False),
        (None, E, True),
    ],
)
def test_whether_a_call_fails_over(failover: Failover | None, error: Exception, answer: bool) -> None:
    """The codes of the scene count, also inside an error for exhausted retries."""

    async def steps(stage: LiveStage) -> None:
        stage.record.kinds = KINDS
        assert stage.recovery.should_failover("agent", error) is answer

    seen = staged(Scene(act="run", agent=Agent(failover=failover)), steps)
    assert [(asked.what, asked.agent) for asked in seen.questions] == [("failover", "agent")]


def test_which_model_is_next() -> None:
    """The models are chosen in turn in each run, and after the last there is none."""
    failover = Failover(models=(Model(name="a"), Model(name="b")))
    runs = (RUN, Run(id="2"))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(runs[0]):
            chosen = [stage.recovery.next_model("agent", attempt, [HELLO], E) for attempt in (1, 2, 3)]
            assert chosen == [ChosenModel(model="a"), ChosenModel(model="b"), ChosenModel()]
        with stage.runs.running(runs[1]):
            assert stage.recovery.next_model("agent", None, None, F) == ChosenModel(model="a")

    seen = staged(Scene(act="run", agent=Agent(failover=failover), runs=runs), steps)
    assert seen.questions[0] == Question(
        n=0, what="next model", run="1", agent="agent", number=1, error=WORD, messages=(HELLO,)
    )
    assert [(asked.run, asked.number, asked.messages) for asked in seen.questions] == [
        *(("1", number, (HELLO,)) for number in (1, 2, 3)),
        ("2", None, ()),
    ]


def test_only_some_models_may_receive_other_messages() -> None:
    """A model that is not named receives those of the call."""
    models = (Model(name="a"), Model(name="b"), Model(name="c"))
    failover = Failover(models=models, messages=(HELLO,), messages_for=("b",))

    async def steps(stage: LiveStage) -> None:
        chosen = [stage.recovery.next_model("agent", number, [], E) for number in (1, 2, 3)]
        assert [one.messages for one in chosen] == [None, (HELLO,), None]

    staged(Scene(act="run", agent=Agent(failover=failover)), steps)


def test_a_retry_is_waited_for_once_its_delay_is_known() -> None:
    """The gate opens when the wait begins; another wait opens nothing."""
    gate = Called(double="back-off", run="1")

    async def steps(stage: LiveStage) -> None:
        opened: list[str] = []
        stage.record.gates.when(gate, lambda: opened.append("now"))
        with stage.runs.running(RUN):
            await stage.recovery.sleep(1.0)
            stage.recovery.delay("agent", 1)
            assert opened == []
            await stage.recovery.sleep(1.0)
            assert opened == ["now"]

    staged(Scene(act="run", agent=Agent(retry=Retry(delays=True))), steps)


def test_the_next_model_may_receive_other_messages() -> None:
    """The messages may be empty."""
    for messages in ((HELLO,), ()):
        failover = Failover(models=(Model(name="a"),), messages=messages)

        async def steps(stage: LiveStage, messages: tuple[Message, ...] = messages) -> None:
            chosen = stage.recovery.next_model("agent", 1, [], E)
            assert chosen == ChosenModel(model="a", messages=messages)

        staged(Scene(act="run", agent=Agent(failover=failover)), steps)


def test_choosing_a_model_may_fail() -> None:
    """The callback is recorded before it fails."""
    failover = Failover(models=(Model(name="a"),), error=Error(kind="scripted", code="G"))

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error G"):
            stage.recovery.next_model("agent", 1, [], E)

    seen = staged(Scene(act="run", agent=Agent(failover=failover)), steps)
    assert [asked.what for asked in seen.questions] == ["next model"]
