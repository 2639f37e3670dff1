"""Scripted wrappers of the plugin layer around model calls and tool calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError, at_once
from loopspec.contract.actions import (
    Action,
    Answer,
    AppendAnswer,
    CallInner,
    Count,
    GetLocal,
    GiveCommand,
    OfferTools,
    Redact,
    ReturnNothing,
    Rewrite,
    SetState,
    SetSystem,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from loopspec.contract.agents import Agent, Hook, Plugin, Script, Tool
from loopspec.contract.calls import Command, InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import Scene
from loopspec.contract.values import ToolCall, ToolInfo
from loopspec.stage import LiveStage

from ..staging import BRIEF, HELLO, ONE, SPOKEN, TWO, VIEW, BegunAnswer, CheckedInside, E, call_of, sent, staged


class Flaky(CheckedInside):
    """A next handler that fails immediately, or whose answer breaks, a number of times."""

    def __init__(self, times: int, breaks: bool = False) -> None:
        super().__init__()
        self._left = times
        self._late = breaks

    def _broken(self) -> Exception | None:
        self._left -= 1
        if self._left < 0:
            return None
        if not self._late:
            raise E
        return E

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Answer after the configured failures."""
        self.models.append(self._sound(request))
        return BegunAnswer(Message(role="assistant", content="finally"), self._broken())

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Answer after the configured failures."""
        self.tools.append(self._sound(request))
        return BegunAnswer(ToolAnswer(text="finally"), self._broken())


def scene_of(hook: Hook, *actions: Action) -> Scene:
    """A scene with one middleware that performs these actions."""
    plugin = Plugin(name="A", scripts=(Script(hook=hook, actions=actions),))
    return Scene(act="run", agent=Agent(handlers=(plugin,)), runs=(ONE, TWO))


def around_model(
    inside: CheckedInside, *actions: Action, request: ModelRequest | None = None
) -> tuple[object, HookCall]:
    """The complete answer of a middleware around a model call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.middlewares.around_model("A", request or sent(HELLO), VIEW, inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around model", *actions), steps, "plugins")
    return came[0], seen.hooks[0]


def around_tool(inside: CheckedInside, *actions: Action, request: ToolRequest | None = None) -> tuple[object, HookCall]:
    """The complete answer of a middleware around a tool call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.middlewares.around_tool("A", request or call_of("t"), VIEW, inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around tool", *actions), steps, "plugins")
    return came[0], seen.hooks[0]


def test_a_wrapped_call_is_recorded() -> None:
    """The record has the middleware's own state and the runtime context."""
    tools = (ToolInfo(name="t1"), ToolInfo(name="t2"))

    model = around_model(CheckedInside(), request=ModelRequest(messages=(BRIEF, HELLO), tools=tools))[1]
    tool = around_tool(CheckedInside(), request=call_of("t", "c7", '{"a": 1}'))[1]

    assert (model.hook, model.messages, model.tools, model.view) == (
        "around model",
        (BRIEF, HELLO),
        ("t1", "t2"),
        VIEW,
    )
    assert (tool.hook, tool.tool, tool.call_id, tool.args, tool.view) == ("around tool", "t", "c7", '{"a": 1}', VIEW)


@pytest.mark.parametrize(
    ("actions", "model", "tool", "calls"),
    [
        ([], "model: Hello.", "tool: {}", 1),
        ([CallInner(), CallInner()], "model: Hello.", "tool: {}", 2),
        ([Answer(text="mine")], "mine", "mine", 0),
        ([AppendAnswer(text="!")], "model: Hello.!", "tool: {}!", 1),
        ([Rewrite(text="more")], "model: more", "tool: more", 1),
    ],
)
def test_a_middleware_wraps_a_call(actions: list[Action], model: str, tool: str, calls: int) -> None:
    """The actions are those of handlers."""
    inside = CheckedInside()

    assert around_model(inside, *actions)[0] == Message(role="assistant", content=model)
    assert around_tool(inside, *actions)[0] == ToolAnswer(text=tool)
    assert (len(inside.models), len(inside.tools)) == (calls, calls)


def test_an_answer_of_the_next_handler_is_passed_on_unchanged() -> None:
    """An adapter can recognize its own answer."""
    begun = BegunAnswer(SPOKEN)

    class Once(CheckedInside):
        async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
            return begun

    stage = LiveStage(scene_of("around model", CallInner()), "plugins")

    assert at_once(stage.middlewares.around_model("A", sent(HELLO), VIEW, Once())) is begun


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize(
    ("failures", "action", "answer", "calls"),
    [
        (0, CallInner(tries=3), "finally", 1),
        (1, CallInner(tries=3), "finally", 2),
        (2, CallInner(tries=3), "finally", 3),
        (2, CallInner(tries=3, fallback="instead"), "finally", 3),
        (3, CallInner(tries=3, fallback="instead"), "instead", 3),
        (1, CallInner(tries=1, fallback="instead"), "instead", 1),
    ],
)
def test_a_wrapper_retries_a_failed_call(
    failures: int, action: CallInner, answer: str, calls: int, breaks: bool
) -> None:
    """The call is retried up to the limit; then the fallback is used if there is one."""
    inside = Flaky(failures, breaks)

    assert around_model(inside, action)[0] == Message(role="assistant", content=answer)
    assert len(inside.models) == calls
    inside = Flaky(failures, breaks)
    assert around_tool(inside, action)[0] == ToolAnswer(text=answer)
    assert len(inside.tools) == calls


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("around", [around_model, around_tool])
def test_a_wrapper_stops_after_the_last_try(around: Callable[..., object], breaks: bool) -> None:
    """After the last try the last error is raised; each try sends the same request."""
    inside = Flaky(9, breaks)

    with pytest.raises(ScriptedError, match="scripted error E"):
        around(inside, Rewrite(text="more"), CallInner(tries=3))

    assert len(inside.models) + len(inside.tools) == 3
    assert len({str(request) for request in (*inside.models, *inside.tools)}) == 1


@pytest.mark.parametrize(
    ("messages", "action", "sends"),
    [
        ((HELLO,), SetSystem(text="Be."), ("Be.", "Hello.")),
        ((BRIEF, HELLO), SetSystem(text="Be."), ("Be.", "Hello.")),
        ((HELLO,), SetSystem(text="Be.", append=True), ("Be.", "Hello.")),
        ((BRIEF, HELLO), SetSystem(text=" Now.", append=True), ("Be brief. Now.", "Hello.")),
        ((BRIEF, HELLO, BRIEF), SetSystem(text="!", append=True), ("Be brief.Be brief.!", "Hello.")),
        ((BRIEF, HELLO), Redact(text="e", by="_"), ("B_ bri_f.", "H_llo.")),
        ((BRIEF, HELLO), Redact(text="ell"), ("Be brief.", "H***o.")),
        ((BRIEF, HELLO), Redact(text="x"), ("Be brief.", "Hello.")),
    ],
)
def test_a_wrapper_edits_the_request(messages: tuple[Message, ...], action: Action, sends: tuple[str, ...]) -> None:
    """A request has at most one system message, in the first position."""
    inside = CheckedInside()

    call = around_model(inside, action, request=sent(*messages))[1]

    (request,) = inside.models
    assert tuple(message.content for message in request.messages) == sends
    assert call.messages == messages  # what it got itself


def test_only_the_texts_are_redacted() -> None:
    """Other parts of messages and requests are unchanged."""
    call = Message(role="assistant", content="pin", tool_calls=(ToolCall(id="pin", name="pin"),), extra={"pin": "pin"})
    inside = CheckedInside()
    request = ModelRequest(messages=(call,), tools=(ToolInfo(name="pin"),), options={"pin": 1})

    around_model(inside, Redact(text="pin"), request=request)

    assert inside.models == [replace(request, messages=(replace(call, content="***"),))]


def test_another_model_answers() -> None:
    """The last named model is used."""
    inside = CheckedInside()

    around_model(inside, UseModel(model="m"), UseModel(model="n"))

    assert inside.models == [ModelRequest(messages=(HELLO,), model="n")]


def test_a_cache_belongs_to_one_stage() -> None:
    """Each stage has its own cache, and failures are not cached."""
    inside = Flaky(1)

    with pytest.raises(ScriptedError):
        around_model(inside, UseCache())
    around_model(inside, UseCache())
    around_model(inside, UseCache())

    assert len(inside.models) == 3


@pytest.mark.parametrize(
    ("actions", "text", "calls"),
    [
        ([GiveCommand(state={"a": 1}, goto="end")], "tool: {}", 1),
        ([GiveCommand(text="mine", state={"a": 1}, goto="end")], "mine", 0),
        ([GiveCommand(text="", state={"a": 1}, goto="end")], "", 0),
        ([AppendAnswer(text="!"), GiveCommand(state={"a": 1}, goto="end")], "tool: {}!", 1),
        ([GiveCommand(state={"a": 1}, goto="end"), AppendAnswer(text="!")], "tool: {}!", 1),
        ([GiveCommand(goto="model"), GiveCommand(state={"a": 1}, goto="end")], "tool: {}", 1),
        ([CallInner(), GiveCommand(text="mine", state={"a": 1}, goto="end")], "mine", 1),
    ],
)
def test_a_wrapper_returns_a_command(actions: list[Action], text: str, calls: int) -> None:
    """Without a text of its own, the command has the text of the answer; otherwise the next handler is not called."""
    inside = CheckedInside()

    answer, _ = around_tool(inside, *actions)

    assert answer == ToolAnswer(text=text, command=Command(state={"a": 1}, goto="end"))
    assert len(inside.tools) == calls


def test_a_command_of_a_tool_stays_until_it_is_replaced() -> None:
    """The command belongs to the answer, also after the text is changed."""
    own = Command(state={"a": 1})

    class Commanding(CheckedInside):
        async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
            return BegunAnswer(ToolAnswer(text="x", command=own))

    assert around_tool(Commanding(), AppendAnswer(text="!"))[0] == ToolAnswer(text="x!", command=own)
    assert around_tool(Commanding(), Answer(text="mine"))[0] == ToolAnswer(text="mine")
    assert around_tool(Commanding(), GiveCommand(goto="end"))[0] == ToolAnswer(text="x", command=Command(goto="end"))


def test_a_tool_returns_its_command() -> None:
    """Each call returns the command; the model may know the tool by another name."""
    command = Command(state={"a": 1}, goto="end")
    tools = (Tool(name="t", text="x", command=command, known_as="look up"), Tool(name="u", text="y"))
    stage = LiveStage(Scene(act="run", agent=Agent(handlers=(Plugin(name="A", tools=tools),))), "plugins")

    assert at_once(stage.doubles.invoke(call_of("t"), CheckedInside())) == ToolAnswer(text="x", command=command)
    assert at_once(stage.doubles.invoke(call_of("u"), CheckedInside())) == ToolAnswer(text="y")
    assert [stage.doubles.info(name).name for name in "tu"] == ["look up", "u"]


@pytest.mark.parametrize(
    ("hook", "action"),
    [
        ("around model", GiveCommand()),
        ("around model", SetState(key="a", value=1)),
        ("around model", Count(key="a")),
        ("around tool", UseCache()),
        ("around tool", UseModel(model="m")),
        ("around tool", SetSystem(text="Be.")),
        ("around tool", Redact(text="t")),
        ("around tool", OfferTools(tools=("t",))),
    ],
)
def test_an_action_for_another_hook_has_no_effect(hook: Hook, action: Action) -> None:
    """Request and answer are passed on unchanged."""
    inside = CheckedInside()

    if hook == "around model":
        assert around_model(inside, action)[0] == SPOKEN
    else:
        assert around_tool(inside, action)[0] == ToolAnswer(text="tool: {}")
    assert (inside.models or inside.tools) == ([sent(HELLO)] if hook == "around model" else [call_of("t")])


def test_actions_inside_a_run_are_rejected() -> None:
    """The call continues."""
    for answer, call in (
        around_model(CheckedInside(), GetLocal(key="k")),
        around_tool(CheckedInside(), GetLocal(key="k")),
    ):
        assert answer is not None
        assert [error.kind for error in call.refused.values()] == ["other"]
        assert list(call.refused) == ["get k"]


def test_a_wrapper_never_returns_nothing() -> None:
    """No adapter receives None from a wrapper."""
    for around in (around_model, around_tool):
        with pytest.raises(AssertionError, match="no phrase lets a middleware return nothing there"):
            around(CheckedInside(), ReturnNothing())


def test_a_wrapper_returns_an_invalid_value() -> None:
    """The adapter passes the value on; the next handler is called as usual."""
    inside = CheckedInside()

    for around in (around_model, around_tool):
        answer, call = around(inside, GetLocal(key="k"), UseInvalidValue())
        assert (answer, list(call.refused)) == (InvalidValue(), ["get k"])
    assert (len(inside.models), len(inside.tools)) == (1, 1)


def test_a_wrapper_passes_an_invalid_request() -> None:
    """The invalid request is sent in each try; a fallback may replace the error."""
    for around in (around_model, around_tool):
        with pytest.raises(TypeError, match="this is not a request"):
            around(CheckedInside(), UseInvalidValue(place="request"))
        fallback = CallInner(tries=2, fallback="instead")
        answer, _ = around(CheckedInside(), UseInvalidValue(place="request"), fallback)
        assert answer in (Message(role="assistant", content="instead"), ToolAnswer(text="instead"))
        assert around(CheckedInside(), Answer(text="mine"), UseInvalidValue(place="request"))[0] is not None


def test_an_invalid_message_has_no_effect_in_a_wrapper() -> None:
    """A call has no state whose messages could be changed."""
    assert around_model(CheckedInside(), UseInvalidValue(place="messages"))[0] == SPOKEN
    assert around_tool(CheckedInside(), UseInvalidValue(place="messages"))[0] == ToolAnswer(text="tool: {}")
