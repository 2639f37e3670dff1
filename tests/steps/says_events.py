"""What the Thens about events, recovery, sub-agents, contexts and input generation say yes and no to."""

from __future__ import annotations

from loopspec.contract.observation import Event, ModelCall, Observation, Question
from loopspec.contract.values import Error, Json, Message, Part, ToolInfo

from .saying import FAILED, OTHERWISE, Says, asked, both, ended, event, hooked, said, shown

NOTHING = Observation()
DONE = event(said("assistant", "done"))
CUSTOM = event(custom="half")
BROKEN = event(error=FAILED)
TABLE = [["role", "content"], ["user", "Hello."]]
HELLO = asked(said("user", "Hello."))


def _streamed(*texts: str, error: Error | None = None, run: str = "1") -> Event:
    return event(chunks=tuple(said("assistant", text) for text in texts), error=error, run=run)


def _again(attempt: int | None, *, kind: str = "will_retry") -> Event:
    return _streamed("do", error=Error(kind=kind, attempt=attempt))  # type: ignore[arg-type]  # two of its words


def _asks(what: str, run: str = "1", n: int = 5, **more: Json) -> Observation:
    return Observation(questions=(Question(n=n, what=what, run=run, **more),))  # type: ignore[arg-type]  # all are words of it


def _tool(name: str = "helper", description: str = "helps", **schema: Json) -> ToolInfo:
    return ToolInfo(name=name, description=description, parameters=schema)


def _takes(required: tuple[str, ...] = ("a",), **types: str) -> Observation:
    properties = {name: {"type": kind} for name, kind in types.items()}
    return asked(tools=(_tool(properties=properties, required=list(required)),))


EVENTS = (
    Says(
        "the events are",
        shown(_streamed("do", "ne"), CUSTOM, event(said("tool", "ok"), exits=True, path=("agent", "sub"))),
        (
            shown(CUSTOM, _streamed("do", "ne"), event(said("tool", "ok"), exits=True, path=("agent", "sub"))),
            shown(_streamed("done"), CUSTOM, event(said("tool", "ok"), exits=True, path=("agent", "sub"))),
            shown(_streamed("do", "ne"), CUSTOM, event(said("tool", "ok"), path=("agent", "sub"))),
            shown(_streamed("do", "ne"), CUSTOM, event(said("tool", "ok"), exits=True)),
            shown(_streamed("do", "ne"), CUSTOM, event(said("user", "ok"), exits=True, path=("agent", "sub"))),
            shown(_streamed("do", "ne"), CUSTOM),
            NOTHING,
        ),
        [
            ["event", "role", "content", "chunks", "exits", "path"],
            ["stream", "assistant", "done", "do/ne", "", ""],
            ["custom", "", "half", "", "", ""],
            ["message", "tool", "ok", "", "yes", "agent/sub"],
        ],
    ),
    Says(
        "the events are, with all custom ones or none",
        shown(CUSTOM, event(custom="done"), DONE),
        (
            shown(CUSTOM, DONE, event(custom="done")),
            shown(CUSTOM, DONE),
            shown(event(said("assistant", "half")), event(custom="done"), DONE),
            shown(CUSTOM, event(custom="done")),
            shown(DONE, DONE),
            NOTHING,
        ),
        [["event", "content"], ["custom", "half"], ["custom", "done"], ["message", "done"]],
    ),
    Says(
        "the events are, with all custom ones or none",
        shown(DONE),
        (shown(DONE, DONE), NOTHING),
        [["event", "content"], ["custom", "half"], ["message", "done"]],
    ),
    Says(
        "the events of run 2 are",
        shown(DONE, _streamed("do", error=FAILED, run="2"), event(error=OTHERWISE, run="2")),
        (
            shown(DONE, _streamed("do", error=OTHERWISE, run="2"), event(error=OTHERWISE, run="2")),
            shown(DONE, _streamed("do", run="2"), event(error=OTHERWISE, run="2")),
            shown(DONE, _streamed("do", error=FAILED, run="2"), event(error=Error(kind="cancel"), run="2")),
            shown(DONE, _streamed("do", error=FAILED, run="2")),
            shown(DONE),
        ),
        [["event", "agent", "ends with", "content"], ["stream", "agent", "e1", "do"], ["error", "agent", "", "e2"]],
    ),
    Says(
        "in any order, the events are",
        shown(CUSTOM, DONE),
        (shown(DONE), shown(DONE, DONE), shown(DONE, CUSTOM, CUSTOM), NOTHING),
        [["event", "content"], ["message", "done"], ["custom", "half"]],
    ),
    Says(
        "the events of the agent are",
        shown(event(Message(role="tool", parts=(Part(text="sunny"), Part(url="sun")))), CUSTOM),
        (
            shown(event(Message(role="tool", parts=(Part(url="sun"), Part(text="sunny")))), CUSTOM),
            shown(event(Message(role="tool", parts=(Part(text="sunny"),)))),
            shown(DONE, CUSTOM),
            shown(CUSTOM),
        ),
        [["event", "parts"], ["message", "sunny/image:sun"]],
    ),
    Says(
        "the stream ends with one error",
        shown(DONE, BROKEN),
        (shown(BROKEN, DONE), shown(BROKEN, BROKEN), shown(DONE), shown(_streamed("do", error=FAILED)), NOTHING),
    ),
    Says(
        "2 streams end with a retry notice, numbered consecutively",
        shown(_again(1), _streamed("do"), _again(2)),
        (
            shown(_again(1)),
            shown(_again(1), _again(3)),
            shown(_again(1), _again(1)),
            shown(_again(1), _again(2), _again(3)),
            shown(_again(1), _again(2, kind="scripted")),
            shown(_again(None), _again(None)),
            NOTHING,
        ),
    ),
)

QUESTIONS = (
    Says(
        "the answer check callbacks are called with",
        both(HELLO, _asks("accepted", number=1, error=Error(kind="other", cause=FAILED), answer="no"), _asks("delay")),
        (
            both(HELLO, _asks("accepted", number=2, error=FAILED, answer="no")),
            both(HELLO, _asks("accepted", number=1, error=OTHERWISE, answer="no")),
            both(HELLO, _asks("accepted", number=1, error=FAILED)),
            both(HELLO, _asks("accepted", run="2", number=1, error=FAILED, answer="no")),
            both(_asks("accepted", number=1, error=FAILED, answer="no")),
            both(HELLO, *[_asks("accepted", number=1, error=FAILED, answer="no")] * 2),
            both(HELLO, _asks("delay", number=1, error=FAILED, answer="no")),
            NOTHING,
        ),
        [
            ["callback", "number", "error", "answer", "calls before"],
            ["answer check", "1", "e1", "no", "1"],
        ],
    ),
    Says(
        "the failover callbacks are called with",
        both(_asks("failover", error=Error(kind="io")), _asks("next model", messages=(said("user", "Hello."),))),
        (
            both(_asks("next model", messages=(said("user", "Hello."),)), _asks("failover", error=Error(kind="io"))),
            both(_asks("failover", error=Error(kind="io")), _asks("next model")),
            both(_asks("failover"), _asks("next model", messages=(said("user", "Hello."),))),
            _asks("failover", error=Error(kind="io")),
        ),
        [["callback", "error", "input"], ["failover predicate", "io", ""], ["backup selector", "", "Hello."]],
    ),
    Says(
        "without repetitions, the failover callbacks are called with",
        both(*[_asks("failover", error=FAILED)] * 2, _asks("next model"), _asks("failover", error=FAILED)),
        (
            both(*[_asks("failover", error=FAILED)] * 2, _asks("next model")),
            both(_asks("next model"), _asks("failover", error=FAILED), _asks("next model")),
            both(_asks("failover", error=OTHERWISE), _asks("next model"), _asks("failover", error=FAILED)),
            NOTHING,
        ),
        [["callback", "error"], ["failover predicate", "e1"], ["backup selector", ""], ["failover predicate", "e1"]],
    ),
    Says(
        "no back-off callback is called",
        both(HELLO, _asks("accepted"), _asks("sleep", run="2")),
        (both(HELLO, _asks("delay")), both(HELLO, _asks("sleep")), NOTHING, ended(FAILED)),
    ),
)

OFFERS = (
    Says(
        "model call 1 receives the tool descriptions",
        asked(tools=(_tool(),)),
        (asked(tools=(_tool(description="Helps"),)), asked(tools=(_tool(), _tool())), asked(), NOTHING),
        [["name", "description"], ["helper", "helps"]],
    ),
    Says(
        'model call 1 receives "helper" with the parameters',
        _takes(b="integer", a="string"),
        (
            _takes(a="string"),
            _takes(a="string", b="integer", c="string"),
            _takes(a="string", b="string"),
            _takes(("a", "b"), a="string", b="integer"),
            _takes((), a="string", b="integer"),
            asked(tools=(_tool(),)),
            asked(tools=(_tool("another"),)),
            NOTHING,
        ),
        [["name", "type", "required"], ["a", "string", "yes"], ["b", "integer", "no"]],
    ),
)


def _to(model: str, *texts: str) -> ModelCall:
    return asked(*(said("user", text) for text in texts), model=model).model_calls[0]


def _calls(*calls: ModelCall) -> Observation:
    return Observation(model_calls=calls)


CONTENTS = (
    Says(
        'call 2 of the model "m" contains, in this order',
        _calls(_to("m"), _to("n", "none"), _to("m", "first, and", "then second")),
        (
            _calls(_to("m", "first", "second")),
            _calls(_to("m"), _to("m", "second", "first")),
            _calls(_to("m"), _to("m", "first")),
            _calls(_to("m"), _to("n", "first", "second")),
        ),
        "first\nsecond",
    ),
    Says(
        'in any order, the model "m" receives the texts',
        _calls(_to("m", "about second"), _to("n", "first"), _to("m", "about first")),
        (
            _calls(_to("m", "first")),
            _calls(_to("m", "first"), _to("n", "second")),
            _calls(_to("m", "first", "second"), _to("m", "second")),
            _calls(_to("m", "first"), _to("m", "second"), _to("m", "third")),
            _calls(_to("m", "first"), _to("m", "second"), _to("m", "second")),
            ended(FAILED),
        ),
        [["text"], ["first"], ["second"]],
    ),
)

CONTEXTS = (
    Says(
        'before model, the context of "H" or of "I" has the value "v" under "k"',
        both(hooked(context={"k": "w"}), hooked(handler="I", context={"k": "v"})),
        (
            both(hooked(context={"k": "w"}), hooked(handler="I")),
            hooked(context={"k": "v"}),
            both(hooked(), hooked("after model", handler="I", context={"k": "v"})),
            NOTHING,
        ),
    ),
    Says(
        'the context of the custom input function has the value "v" under "k"',
        _asks("input", context={"k": "v"}),
        (_asks("input", context={"k": "w"}), _asks("input"), _asks("failover", context={"k": "v"}), NOTHING),
    ),
    Says(
        'the custom input function receives the instruction "Be."',
        _asks("input", instruction="Be."),
        (_asks("input", instruction="Be"), _asks("input"), NOTHING, ended(FAILED)),
    ),
    Says(
        "the custom input function receives",
        _asks("input", messages=(said("user", "Hello."),)),
        (
            _asks("input", messages=(said("system", "Be."), said("user", "Hello."))),
            both(_asks("input"), _asks("input", messages=(said("user", "Hello."),))),
            HELLO,
        ),
        TABLE,
    ),
)

SAYINGS = (*EVENTS, *QUESTIONS, *OFFERS, *CONTENTS, *CONTEXTS)
