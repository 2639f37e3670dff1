"""What the Thens about handlers, tools and what models are given say yes and no to."""

from __future__ import annotations

from loopspec.contract.calls import ModelContext, Resumed
from loopspec.contract.observation import Observation
from loopspec.contract.values import Error, Json, ToolCall, ToolInfo

from .saying import Says, asked, both, ended, hooked, offered, ran, said

NOTHING = Observation()
TABLE = [["role", "content"], ["user", "Hello."]]
HELLO, HALLO = said("user", "Hello."), said("user", "Hallo.")
NO = Error(kind="outside_run")


def _second(**more: Json) -> Observation:
    """Two calls of the hook, of which the second is like this."""
    return both(hooked(), hooked(**more))


def _state(**more: Json) -> Observation:
    return hooked("before agent", **more)


def _in_context(*tools: str, retry: bool = False, failover: bool = False) -> Observation:
    return hooked(model_context=ModelContext(tools=tools, retry=retry, failover=failover))


def _around(tool: str = "t1", call_id: str = "call 1", kind: str = "invokable") -> Observation:
    return hooked("around tool", tool=tool, call_id=call_id, kind=kind)


def _args(args: str) -> Observation:
    return ran(call=ToolCall(id="c1", name="t", args=args))


BEFORE_AGENT = (
    Says(
        'before agent, "H" sees the instruction "Be."',
        _state(instruction="Be."),
        (_state(instruction="Be. "), _state(), hooked("before model", instruction="Be."), NOTHING),
    ),
    Says(
        'before agent, the instruction that "H" sees contains "be"',
        _state(instruction="To be."),
        (_state(instruction="To."), _state(), NOTHING),
    ),
    Says(
        'before agent, "H" sees the return-directly tools t1, t2',
        _state(return_directly=("t2", "t1")),
        (_state(return_directly=("t1",)), _state(return_directly=("t1", "t2", "t3")), NOTHING),
    ),
)

SEEN = (
    Says('"H" is called 2 times before model', _second(), (hooked(), both(_second(), hooked()), NOTHING)),
    Says('"H" is called once before model', hooked(), (_second(), hooked(handler="I"), hooked("after model"))),
    Says('"H" is never called before model', hooked("after model"), (hooked(), hooked(run="2"))),
    Says(
        'before model call 2, "H" sees the messages',
        _second(messages=(HELLO,)),
        (
            hooked(messages=(HELLO,)),
            _second(messages=(HALLO,)),
            _second(messages=(HELLO, HELLO)),
            both(_second(), hooked(messages=(HELLO,))),
            both(hooked(), hooked(handler="I", messages=(HELLO,))),
            ended(NO),
        ),
        TABLE,
    ),
    Says(
        'before model, the last message that "H" sees is "Hello."',
        hooked(messages=(HALLO, HELLO)),
        (hooked(messages=(HELLO, HALLO)), hooked(), NOTHING),
    ),
    Says(
        'before model, "H" sees the tools t1, t2',
        hooked(tools=("t1", "t2")),
        (hooked(tools=("t2", "t1")), hooked(tools=("t1",)), hooked(tools=("t1", "t2", "t3")), NOTHING),
    ),
    Says(
        'before model, "H" sees, in any order, the tools t1, t2',
        hooked(tools=("t2", "t1")),
        (hooked(tools=("t2",)), hooked(tools=("t1", "t2", "t2")), hooked(), NOTHING),
    ),
    Says(
        'before model, "H" sees one additional tool',
        hooked(tools=("own",)),
        (hooked(), hooked(tools=("own", "other")), hooked("before agent", tools=("own",)), NOTHING),
    ),
    Says(
        'before model, "H" sees one additional tool next to t1, t2',
        hooked(tools=("t2", "own", "t1")),
        (
            hooked(tools=("t1", "t2")),
            hooked(tools=("t1", "own", "other")),
            hooked(tools=("t1", "t2", "own", "other")),
            hooked(tools=("t1", "t2", "t2")),
            NOTHING,
        ),
    ),
    Says(
        'before model, "H" sees the deferred tools t1',
        hooked(deferred_tools=("t1",)),
        (hooked(tools=("t1",)), hooked(deferred_tools=("t2",)), NOTHING),
    ),
    Says(
        'before model, the model context of "H" has the tools t1',
        _in_context("t1"),
        (_in_context("t1", "t2"), _in_context(), hooked(), NOTHING),
    ),
    Says(
        'before model, the model context of "H" has, in any order, the tools t1, t2',
        _in_context("t2", "t1"),
        (_in_context("t1"), _in_context("t1", "t2", "t3"), hooked(), NOTHING),
    ),
    Says(
        'before model, the model context of "H" has a retry configuration',
        _in_context(retry=True),
        (_in_context(failover=True), hooked(), NOTHING),
    ),
    Says(
        'before model, the model context of "H" has no failover configuration',
        _in_context(retry=True),
        (_in_context(failover=True), hooked(), NOTHING),
    ),
    Says(
        'after model, "H" finds "v" under "k"',
        hooked("after model", found={"k": "v"}),
        (
            hooked("after model", found={"k": "w"}),
            hooked("after model", found={"l": "v"}),
            hooked("after model", found={"k": "w"}, refused={"get k": NO}),
            hooked(found={"k": "v"}),
            NOTHING,
        ),
    ),
    Says(
        'before model, "H" finds the JSON value {"a": [1]} under "k"',
        hooked(found={"k": {"a": [1]}}),
        (hooked(found={"k": {"a": [2]}}), hooked(found={"k": '{"a": [1]}'}), hooked(missing=("k",)), NOTHING),
    ),
    Says(
        'before model, "H" finds the empty value under "k"',
        hooked(found={"k": None}),
        (hooked(missing=("k",)), hooked(found={"k": ""}), hooked(), NOTHING),
    ),
    Says(
        'before model, "H" finds nothing under "k"',
        hooked(missing=("k",)),
        (hooked(found={"k": None}), hooked(refused={"get k": NO}), hooked(missing=("l",)), NOTHING),
    ),
    Says(
        'before model, no action of "H" fails',
        hooked(),
        (hooked(refused={"set k": NO}), hooked("after model"), NOTHING),
    ),
    Says(
        'before model, "H" fails to set the run-local value "k"',
        hooked(refused={"set k": NO}),
        (hooked(), hooked(refused={"get k": NO}), hooked(refused={"set k": NO, "set l": NO}), NOTHING),
    ),
    Says(
        'before model, the context of "H" has the value "v" under "k"',
        hooked(context={"k": "v"}),
        (hooked(context={"k": "w"}), hooked(found={"k": "v"}), NOTHING),
    ),
    Says(
        'before model, the context of "H" has no "k"', hooked(context={"l": 1}), (hooked(context={"k": None}), NOTHING)
    ),
)

AROUND = (
    Says(
        'around tool, "H" receives the arguments "{"a": 1}"',
        hooked("around tool", args='{"a":1.0}'),
        (hooked("around tool", args='{"a": 2}'), hooked("around tool"), hooked(args='{"a": 1}')),
    ),
    Says(
        'around model, "H" receives the answer "done"',
        hooked("around model", answer="done"),
        (hooked("around model", answer="Done"), hooked("around model"), NOTHING),
    ),
    Says(
        'the tool calls that "H" wraps are',
        both(_around("t2", "call 2"), _around()),
        (_around(), both(_around(), _around()), both(_around("t2", "call 2"), _around(), _around()), NOTHING),
        [["tool", "call id", "kind"], ["t1", "call 1", "invokable"], ["t2", "call 2", "invokable"]],
    ),
)

MODELS = (
    Says(
        "model call 2 receives the tools t1, t2",
        both(offered(), offered("t1", "t2")),
        (offered("t1", "t2"), both(offered(), offered("t2", "t1")), both(offered("t1", "t2"), offered("t1")), NOTHING),
    ),
    Says(
        "in any order, model call 1 receives the tools t1, t2",
        offered("t2", "t1"),
        (offered("t1"), offered("t1", "t2", "t3"), NOTHING),
    ),
    Says(
        "from model call 2 on, the model receives no tools",
        both(offered("t1"), offered(), offered()),
        (both(offered(), offered("t1")), both(offered(), offered(), offered("t1"))),
    ),
    Says(
        "model call 1 receives the deferred tools t1",
        asked(deferred_tools=(ToolInfo(name="t1"),)),
        (offered("t1"), asked(deferred_tools=(ToolInfo(name="t1"), ToolInfo(name="t2"))), NOTHING),
    ),
    Says(
        'model call 1 receives the tool search "s"',
        asked(tool_search=ToolInfo(name="s")),
        (asked(tool_search=ToolInfo(name="r")), offered("s"), NOTHING),
    ),
    Says("model call 1 is streaming", asked(streaming=True), (asked(), both(asked(), asked(streaming=True)), NOTHING)),
    Says("model call 1 is synchronous", asked(), (asked(streaming=True), NOTHING)),
    Says(
        'the context of model call 1 has the value "v" under "k"',
        asked(context={"k": "v"}),
        (asked(context={"k": "w"}), asked(), both(asked(), asked(context={"k": "v"})), NOTHING),
    ),
    Says(
        'the context of model call 1 has no "k"',
        asked(context={"l": "v"}),
        (asked(context={"k": None}), NOTHING),
    ),
)

TOOLS = (
    Says('the tool "t" runs 2 times', both(ran(), ran()), (ran(), both(ran(), ran(), ran()), ran("u"), NOTHING)),
    Says('the tool "t" never runs', ran("u"), (ran(), both(ran("u"), ran()))),
    Says(
        'call 2 of the tool "t" receives the arguments "{"a": 1}"',
        both(ran(), ran("u"), _args('{"a":1}')),
        (
            _args('{"a": 1}'),
            both(ran(), _args('{"a": true}')),
            both(ran(), _args('{"a": 1')),
            both(_args('{"a": 1}'), ran()),
            NOTHING,
        ),
    ),
    Says(
        'call 1 of the tool "t" receives its saved state',
        ran(resumed=Resumed(state={"left by": "t", "call": "c1"})),
        (
            ran(resumed=Resumed(state={"left by": "u", "call": "c1"})),
            ran(resumed=Resumed(state={"left by": "t", "call": "c2"})),
            ran(resumed=Resumed(state={"left by": "t"})),
            ran(resumed=Resumed()),
            ran(),
            NOTHING,
        ),
    ),
    Says(
        'in run 1, the call "c1" receives its saved state',
        both(ran("u", ToolCall(id="c2", name="u")), ran(resumed=Resumed(state={"left by": "t", "call": "c1"}))),
        (
            ran(resumed=Resumed(state={"left by": "t", "call": "c2"})),
            ran(call=ToolCall(id="c2", name="t"), resumed=Resumed(state={"left by": "t", "call": "c1"})),
            both(ran(), ran(resumed=Resumed(state={"left by": "t", "call": "c1"}))),
            ran(),
            NOTHING,
        ),
    ),
    Says(
        'in run 1, the call "c1" receives the resume data "yes"',
        ran(resumed=Resumed(data="yes")),
        (
            ran(resumed=Resumed(data="no")),
            ran(call=ToolCall(id="c2", name="t"), resumed=Resumed(data="yes")),
            ran(),
            NOTHING,
        ),
    ),
    Says(
        'in run 1, the call "c1" receives the resume data null as JSON',
        ran(resumed=Resumed()),
        (ran(resumed=Resumed(data="")), ran(resumed=Resumed(data=False)), ran(), NOTHING),
    ),
    Says(
        'call 1 of the tool "t" receives the resume data "yes"',
        ran(resumed=Resumed(data="yes")),
        (ran(resumed=Resumed(data="no")), ran(resumed=Resumed()), ran(), NOTHING),
    ),
    Says(
        'the tool "t" is called as enhanced invokable',
        ran(kind="enhanced invokable"),
        (ran(kind="enhanced streamable"), ran(), NOTHING),
    ),
    Says(
        'the tool "t" receives the option "k" with the value "v"',
        ran(options={"k": "v"}),
        (ran(options={"k": "w"}), ran(), NOTHING),
    ),
    Says(
        'the context of the tool "t" has the value "v" under "k"',
        ran(context={"k": "v"}),
        (ran(context={"k": "w"}), ran(), NOTHING),
    ),
    Says('the context of the tool "t" has no "k"', ran(), (ran(context={"k": None}), NOTHING)),
    Says('the tool "t" finds "v" under "k"', ran(found={"k": "v"}), (ran(found={"k": "w"}), ran(), NOTHING)),
)

SAYINGS = (*BEFORE_AGENT, *SEEN, *AROUND, *MODELS, *TOOLS)
