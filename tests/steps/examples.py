"""Observations that a Then accepts, and observations that it refuses, for what changes of the reference's do not show.

That is a choice that the reference does not take, several changes together, and reads that may end either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from loopspec.contract.calls import View
from loopspec.contract.observation import (
    Answered,
    Cancelled,
    Creation,
    Event,
    Executed,
    Handled,
    Observation,
    Outside,
    Question,
    Registered,
    Span,
    ToolRun,
    Waited,
)
from loopspec.contract.plugins import StrategyMeta
from loopspec.contract.scene import Break, File, Meanwhile, Scene, Write
from loopspec.contract.values import Error, FileData, Json, Message, Part, ToolCall

from .saying import FAILED, OTHERWISE, Below, asked, both, called, ended, event, hooked, said, shown


class Example(NamedTuple):
    """A sentence with what is below it, and observations that the Then accepts and refuses; all for a scene."""

    text: str
    accepted: Sequence[Observation]
    refused: Sequence[Observation] = ()
    below: Below = None
    scene: Scene | None = None


REFUSED = Observation(created=Error(kind="options"))
HELLO, SYSTEM = said("user", "Hello."), said("system", "Be brief.")
CALL = asked(HELLO, model="m")
NODES = ("m1", "m2")


def _viewed(own: dict[str, Json] | None = None, context: dict[str, Json] | None = None, **more: Any) -> Observation:
    """One call of a hook of a middleware, and what it sees."""  # Any: fields of the call
    return hooked(**{"handler": "A", **more}, view=View(own=own or {}, context=context))


def _tried(**failed: bool) -> Observation:
    """What was tried outside of runs, and whether it failed; underscores stand for spaces."""
    error = Error(kind="outside_run")
    return Observation(
        outside=tuple(Outside(what=what.replace("_", " "), error=error if no else None) for what, no in failed.items())
    )


def _waited(*waits: tuple[bool, str]) -> Observation:
    return Observation(waits=tuple(Waited(n=60, run="1", contributed=did, outcome=came) for did, came in waits))


def _handled(changes: bool | None) -> Observation:
    call = Handled(n=1, hook="before model", run="1", kept=True, returned=True, changes=changes)
    return Observation(handled=(call, Handled(n=2, hook="after model", run="1", kept=True, returned=True)))


def _around(call: str, n: int, *, with_tool: bool = True) -> Observation:
    """A wrapper of a tool call, and the tool in it."""
    spans = [Span(n=n, name="around tool H", agent="agent", run="1", ended=99)]
    wrapper = hooked("around tool", n=n + 1, call_id=call)
    if not with_tool:
        return both(Observation(spans=tuple(spans)), wrapper)
    spans.append(Span(n=n + 2, name="tool t", agent="agent", run="1", inside=n, ended=98))
    run = ToolRun(n=n + 3, tool="t", call=ToolCall(id=call, name="t"), run="1")
    return both(Observation(spans=tuple(spans), tool_runs=(run,)), wrapper)


def _asks(what: Any, error: Error | None = None) -> Observation:  # Any: a question of the contract
    return Observation(questions=(Question(n=1, what=what, run="1", number=1, error=error),))


def _again(attempt: int | None) -> Event:
    return event(chunks=(said("assistant", "do"),), error=Error(kind="will_retry", attempt=attempt))


def _looked_up(error: str = "", **meta: Any) -> Observation:  # Any: fields of the metadata
    found = StrategyMeta(**{"name": "s", "label": {"en_US": "S"}, **meta})
    failed = Error(kind="other", message=error) if error else None
    return Observation(lookups=(Registered(provider="p1", meta=None if failed else found, error=failed),))


def _listed(**meta: Any) -> Observation:  # Any: fields of the metadata
    found = StrategyMeta(**{"name": "s", "label": {"en_US": "S"}, **meta})
    return Observation(strategies=(Registered(provider="p1", meta=found),))


def _created(*spans: tuple[str, int, int | None]) -> Observation:
    return Observation(spans=tuple(Span(n=n, name=name, agent="a", run=None, ended=end) for name, n, end in spans))


def _read(n: int, text: str = "", fails: bool = False) -> Answered:
    error = Error(kind="other", message="outside the root") if fails else None
    return Answered(n=n, path="a.md", content=None if error else FileData(text=text), error=error)


SWAPPED = Scene(
    act="read",
    files={"a.md": File(text="A.")},
    backend=(
        Meanwhile(requests=(), steps=(Write(path="a.md", file=File(text="B.")), Break(path="a.md", kind="outside"))),
    ),
)
CANCELLED = Cancelled(modes=("after model",))
CUSTOM, DONE, HALF = event(custom="half"), event(said("assistant", "done")), event(said("assistant", "half"))
PICTURE = event(Message(role="tool", parts=(Part(text="sunny"), Part(url="sun"))))
BY_KIND = [["event", "content"], ["custom", "half"], ["message", "done"]]

EXAMPLES = (
    # the ends of runs
    Example('"H" is never called after agent', [hooked(handler="F", hook="after agent")]),
    Example("building the agent fails", [Observation(created=Error(kind="invalid_config"))]),
    Example(
        'either building the agent fails because the options are invalid, or the model "m" is called once',
        [REFUSED, CALL],
        [Observation(created=Error(kind="strategy")), asked(HELLO, model="n"), both(CALL, CALL)],
    ),
    Example(
        "building the agent fails, or the run fails before any model call",
        [ended(FAILED), REFUSED],
        [ended(), both(REFUSED, CALL), both(ended(FAILED), CALL)],
    ),
    Example(
        'the final answer of run 2 is "done"',
        [both(ended(), ended(run="2"), shown(event(said("assistant", "done"), run="2"), event(custom=1, run="2")))],
        [
            both(ended(), ended(run="2")),
            both(ended(), ended(run="2", final="other"), shown(event(said("assistant", "done"), run="2"))),
            both(ended(final="done"), ended(run="2", final="other")),
        ],
    ),
    Example('the final answer is "done"', [both(ended(), shown(event(chunks=(said("assistant", "done"),))))]),
    Example("run 1 is interrupted by t1, t2", [], [both(ended(interrupted=True))]),
    Example('afterwards the session has no "k"', [ended(session={"l": 1})], [ended(session={"k": None})]),
    Example("outside a run, sending an event fails", [_tried(send_event=True, set=False)], [_tried(send_event=False)]),
    Example(
        "the cancel requests return",
        [_waited((True, "cancelled"), (False, "ended"))],
        [_waited((False, "ended"), (True, "cancelled"))],
        [["contributed", "waiting returns"], ["yes", "cancelled"], ["no", "ended before"]],
    ),
    Example(
        "the cancellation error reports",
        [ended(Error(kind="cancel"), cancelled=CANCELLED)],
        below=[["safe points"], ["the model call"]],
    ),
    Example(
        "every call has returned",
        [called("model")],
        [both(called("model"), Observation(spans=(Span(n=8, name="tool t", agent="agent", run="1"),)))],
    ),
    Example(
        "called again on its own result, the handler under test changes nothing",
        [_handled(False)],
        [_handled(True), _handled(None)],
    ),
    # events, traces and questions
    Example(
        "the events are, with all custom ones or none",
        [shown(CUSTOM, DONE), shown(DONE)],
        [shown(DONE, CUSTOM), shown(CUSTOM), shown(CUSTOM, CUSTOM, DONE), shown(HALF, DONE), shown(DONE, DONE)],
        BY_KIND,
    ),
    Example(
        "the events of the agent are",
        [shown(PICTURE, CUSTOM)],
        below=[["event", "parts"], ["message", "sunny/image:sun"]],
    ),
    Example(
        "2 streams end with a retry notice, numbered consecutively",
        [shown(_again(1), _again(2))],
        [shown(_again(1), _again(3)), shown(_again(None), _again(None))],
    ),
    Example(
        'around the tool call "c1", the trace is',
        [both(_around("c1", 10), _around("c2", 20))],
        [_around("c1", 10, with_tool=False), _around("c2", 20)],
        "around tool H\n  tool t",
    ),
    Example(
        "counting equal consecutive calls once, the failover callbacks are called with",
        [both(_asks("failover", FAILED), _asks("failover", FAILED), _asks("next model"), _asks("failover", FAILED))],
        [both(_asks("failover", OTHERWISE), _asks("next model"), _asks("failover", FAILED))],
        [["callback", "error"], ["failover predicate", "e1"], ["backup selector", ""], ["failover predicate", "e1"]],
    ),
    Example(
        "the failover callbacks are called with",
        [_asks("failover", Error(kind="cancel"))],
        below=[["callback", "error"], ["failover predicate", "cancel"]],
    ),
    Example(
        "the answer check callbacks are called with",
        [_asks("accepted")],
        below=[["callback", "number"], ["answer check", "1"]],
    ),
    # hooks and middlewares
    Example(
        'before model, "H" sees one additional tool next to t1, t2',
        [hooked(tools=("t2", "own", "t1"))],
        [hooked(tools=("t1", "own", "other")), hooked(tools=("t1", "t2", "t2"))],
    ),
    Example(
        'building the agent fails, or before model, "A" sees the state {"n": 1}',
        [_viewed({"n": 1}), REFUSED, ended(FAILED)],
        [_viewed(), both(REFUSED, _viewed()), both(REFUSED, CALL), both(ended(FAILED), CALL)],
    ),
    Example(
        'the runtime context that "A" sees never changes',
        [both(_viewed(context={"user": "u"}), _viewed(context={"user": "u"}), _viewed(context={}, handler="B"))],
        [_viewed(context={"user": "u"}), both(_viewed(context={"user": "u"}), _viewed(context={"user": "v"}))],
    ),
    Example(
        'no stored state of run 1 contains "pin é"',
        [ended(state={"n": "pin"}, session={"m": "é"}), ended(interrupted=True, checkpoint=b"pin")],
        [
            ended(state={"n": ["a pin é b"]}),
            ended(interrupted=True),
            ended(interrupted=True, checkpoint="a pin é".encode()),
        ],
    ),
    Example(
        'the hooks of "A" are, in this order, before agent, before model',
        [both(_viewed(hook="before agent"), _viewed(handler="B"), _viewed(run="2"))],
        [both(_viewed(), _viewed(hook="before agent"))],
    ),
    Example(
        "around model, no middleware is called",
        [both(ended(), _viewed())],
        [both(ended(), _viewed(hook="around model"))],
    ),
    Example(
        'call 1 of the model "m" ends with',
        [asked(SYSTEM, SYSTEM, HELLO, model="m")],
        [asked(HELLO, SYSTEM, model="m")],
        [["role", "content"], ["system", "Be brief."], ["user", "Hello."]],
    ),
    Example(
        'the system message of call 1 of the model "m" begins with "Be brief." and continues',
        [asked(said("system", "Be brief. Now."), HELLO, model="m")],
        [
            asked(said("system", "Be brief. \n"), HELLO, model="m"),
            asked(said("system", "Now. Be brief. Now."), HELLO, model="m"),
        ],
    ),
    Example(
        'every call of the model "m" has the same system message',
        [both(asked(SYSTEM, model="m"), asked(HELLO, model="n"), asked(SYSTEM, HELLO, model="m"))],
        [both(CALL, CALL), both(*[asked(SYSTEM, SYSTEM, model="m")] * 2)],
    ),
    Example(
        "the execution trace is",
        [Observation(executions=(Executed(n=1, node="m1", run="1", error="no"), Executed(n=2, node="m2", run="1")))],
        below=[["node", "inputs", "outcome"], ["m1", "0", "failure"], ["m2", "0", "success"]],
    ),
    # the registry
    Example('the strategy "p1" is rejected', [_looked_up("no"), REFUSED], [_looked_up()]),
    Example(
        'looking up "p1" returns the metadata',
        [_looked_up()],
        [_looked_up("no"), _looked_up(icon="i")],
        '{"name": "s", "label": {"en_US": "S"}}',
    ),
    Example(
        'looking up "p1" returns the label "S"', [_looked_up()], [_looked_up("S"), _looked_up(label={"zh_Hans": "S"})]
    ),
    Example(
        "each strategy has a label and a name",
        [_listed()],
        [_listed(label={}), _listed(name=""), Observation(strategies=(Registered(provider="p1"),))],
    ),
    Example(
        "each config schema is complete, with labels in the languages of its strategy",
        [_listed(config_schema={"$ref": "#/a", "a": {}})],
        [_listed(config_schema={"$ref": ref, "a": a}) for ref, a in (("other#/a", {}), ("other/a", {}), ("#/a/b", 1))],
    ),
    Example(
        "the factories are called with",
        [Observation(creations=tuple(Creation(n=1, provider="p", node=node, agent="a") for node in NODES))],
        below=[["node", "agent"], ["m1", "a"], ["m2", "a"]],
    ),
    Example(
        "each factory has returned before the next one is called",
        [_created(("create m1", 1, 3), ("model model", 2, 9), ("create m2", 3, 5), ("create m3", 6, None))],
        [_created(("create m1", 1, None), ("create m2", 2, 5)), _created(("create m1", 1, 3), ("model m2", 4, 5))],
    ),
    # backends
    Example(
        "the first read returns the stored bytes, and each later read returns the stored bytes or fails",
        [Observation(answers=(_read(1, "A."), _read(2, fails=True), _read(3, "A.")))],
        scene=SWAPPED,
    ),
    Example(
        "each content read is a whole content that the file had",
        [Observation(answers=(_read(1, "A."), _read(2, "B."), _read(3, "A.")))],
        scene=SWAPPED,
    ),
)
