"""What the Thens about ends, traces, cancellations and handlers under test say yes and no to."""

from __future__ import annotations

from loopspec.contract.agents import Hook
from loopspec.contract.observation import (
    Cancelled,
    Handled,
    Interrupted,
    Observation,
    Outside,
    RunEnd,
    Span,
    ToolRun,
    Waited,
)
from loopspec.contract.values import Error, ErrorKind, Message, Part, ToolCall

from .saying import FAILED, OTHERWISE, Says, asked, both, called, ended, event, hooked, said, shown

NOTHING = Observation()
REFUSED = Observation(created=Error(kind="invalid_config", message="there is no model_to_ask"))
UNKNOWN = Error(kind="unknown_tool")
DONE = event(said("assistant", "done"))
CANCEL = Error(kind="cancel")


def _interrupted(*tools: str, interrupted: bool = True) -> Observation:
    return ended(interrupted=interrupted, interrupts=tuple(Interrupted(id=tool, info=tool) for tool in tools))


def _spent(*codes: str, kind: ErrorKind = "retries_exhausted") -> Observation:
    return ended(Error(kind=kind, cause=Error(kind="scripted", code=codes[0]) if codes else None))


def _tried(**refused: bool) -> Observation:
    """What was tried outside of runs, and whether it was refused; underscores stand for spaces."""
    error = Error(kind="outside_run")
    tried = {name.replace("_", " "): error if said_no else None for name, said_no in refused.items()}
    return Observation(outside=tuple(Outside(what=what, error=found) for what, found in tried.items()))


def _waited(*waits: tuple[bool, str]) -> Observation:
    return Observation(
        waits=tuple(Waited(n=60, run="1", contributed=counted, outcome=outcome) for counted, outcome in waits)
    )


def _cancel(modes: tuple[str, ...] = ("after model",), escalated: bool = True, timed_out: bool = False) -> Observation:
    cancelled = Cancelled(modes=modes, escalated=escalated, timed_out=timed_out)
    return Observation(runs=(RunEnd(n=9, run="1", error=CANCEL, cancelled=cancelled),))


def _handled(*hooks: str, **more: bool) -> Observation:
    every = hooks or ("before agent", "before model", "around model", "after model", "after agent")
    calls = [Handled(n=n, hook=hook, run="1", kept=True, returned=True, changes=False) for n, hook in enumerate(every)]
    if more:
        calls.append(Handled(n=9, hook="after model", run="1", **{"kept": True, "returned": True, **more}))
    return Observation(handled=tuple(calls))


def _around(call: str, *wrappers: str) -> Observation:
    """Wrappers of one tool call, and the tool in them."""
    hook: Hook = "around tool"
    spans, parts = [], []
    for depth, name in enumerate(wrappers):
        n = 10 * len(call) + 2 * depth
        spans.append(Span(n=n, name=name, agent="agent", run="1", inside=n - 2 if depth else None, ended=99))
        if name.startswith("tool"):
            run = ToolRun(n=n + 1, tool="t", call=ToolCall(id=call, name="t"), run="1")
            parts.append(Observation(tool_runs=(run,)))
        else:
            parts.append(both(hooked(hook, call_id=call)))
            (one,) = parts[-1].hooks
            parts[-1] = Observation(hooks=(type(one)(n=n + 1, handler="H", hook=hook, run="1", call_id=call),))
    return both(Observation(spans=tuple(spans)), *parts)


CALLED = asked(said("user", "Hello."), model="m")


def _refused(kind: ErrorKind) -> Observation:
    return Observation(created=Error(kind=kind))


def _failed(kind: ErrorKind) -> Observation:
    return ended(Error(kind=kind))


TWO_CALLS = both(_around("c1", "around tool H", "tool t"), _around("other", "around tool H", "tool t"))
RECEIVED = asked(said("user", "Hello."))
SYSTEM = [said("system", "Be. A\n\nB"), said("user", "Hello.")]
TABLE = [["role", "content"], ["user", "Hello."]]

SAYINGS = (
    Says(
        "run 2 succeeds",
        both(ended(FAILED), ended(run="2")),
        (both(ended(), ended(FAILED, run="2")), both(ended(), ended(run="2", interrupted=True)), ended(), NOTHING),
    ),
    Says("the run fails", ended(FAILED), (ended(), ended(interrupted=True), ended(FAILED, run="2"), NOTHING)),
    Says('the run fails with the error "e1"', ended(FAILED), (ended(OTHERWISE), ended(UNKNOWN), ended(), NOTHING)),
    Says("the run fails because a tool is unknown", ended(UNKNOWN), (ended(FAILED), ended(), REFUSED)),
    Says(
        "run 2 fails because a tool is unknown",
        both(ended(), ended(UNKNOWN, run="2")),
        (both(ended(UNKNOWN), ended(run="2")), both(ended(UNKNOWN), ended(FAILED, run="2")), ended(UNKNOWN)),
    ),
    Says(
        'the retries are exhausted, with the last error "e1"',
        _spent("e1"),
        (_spent("e2"), _spent(), ended(FAILED), _spent("e1", kind="other"), NOTHING),
    ),
    Says("run 1 is interrupted", ended(interrupted=True), (ended(), ended(CANCEL), NOTHING)),
    Says(
        "run 1 is interrupted by t1, t2",
        _interrupted("t2", "t1"),
        (_interrupted("t1"), _interrupted("t1", "t2", "t3"), _interrupted("t1", "t2", interrupted=False)),
    ),
    Says(
        'the run fails with an error that names "t2"',
        ended(Error(kind="other", message="t2 cannot be called")),
        (ended(Error(kind="other", message="t1 cannot be called")), ended(), NOTHING),
    ),
    Says(
        'building the agent fails with an error that names "model to ask"',
        REFUSED,
        (Observation(created=Error(kind="invalid_config", message="there is no tool")), ended(), NOTHING),
    ),
    Says(
        "building the agent fails because the workflow is invalid",
        _refused("graph"),
        (_refused("options"), _refused("other"), ended(Error(kind="graph")), ended(), NOTHING),
    ),
    Says(
        'either building the agent fails because the options are invalid, or the model "m" is called once',
        _refused("options"),
        (
            _refused("strategy"),
            asked(said("user", "Hello."), model="n"),
            both(CALLED, CALLED),
            NOTHING,
        ),
    ),
    Says(
        'either building the agent fails because the options are invalid, or the model "m" is called once',
        CALLED,
        (ended(), NOTHING),
    ),
    Says(
        "building the agent fails because the options are invalid",
        _refused("options"),
        (_refused("strategy"), ended(Error(kind="options")), NOTHING),
    ),
    Says(
        "building the agent fails",
        REFUSED,
        (ended(FAILED), ended(), both(REFUSED, RECEIVED)),
    ),
    Says(
        "building the agent fails because the middlewares are in conflict",
        _refused("strategy"),
        (_refused("unknown_provider"), ended(Error(kind="strategy")), NOTHING),
    ),
    Says(
        "the run fails because a jump has an unknown or undeclared target", _failed("jump"), (_failed("hook"), ended())
    ),
    Says(
        "the run fails because a hook or a tool returned an invalid value", _failed("hook"), (_failed("jump"), ended())
    ),
    Says("the run fails because nothing was returned", _failed("nothing_returned"), (_failed("hook"), ended())),
    Says(
        "building the agent fails, or the run fails before any model call",
        ended(FAILED),
        (ended(), both(REFUSED, RECEIVED), both(ended(FAILED), RECEIVED)),
    ),
    Says(
        'the final answer is "done"',
        both(ended(), shown(event(said("assistant", "not yet")), DONE, event(custom="more"))),
        (
            both(ended(), shown(DONE, event(said("assistant", "not yet")))),
            both(ended(FAILED), shown(DONE)),
            both(ended(interrupted=True), shown(DONE)),
            both(ended(), shown(event(chunks=(said("assistant", "do"), said("assistant", "n"))))),
            ended(),
        ),
    ),
    Says(
        'the final answer of run 2 is "done"',
        both(ended(run="2"), shown(event(chunks=(Message(role="tool", parts=(Part(text="done"),)),), run="2"))),
        (both(ended(run="2"), shown(DONE)), both(ended(), shown(event(DONE.message, run="2")))),
    ),
    Says(
        'afterwards the session has the value "v" under "k"',
        ended(session={"k": "v"}),
        (ended(session={"k": "w"}), ended(session={"l": "v"}), both(ended(), ended(run="2", session={"k": "v"}))),
    ),
    Says(
        'after run 2, the session has the value "v" under "k"',
        both(ended(), ended(run="2", session={"k": "v"})),
        (both(ended(session={"k": "v"}), ended(run="2")), both(ended(), ended(run="2", session={"k": "w"}))),
    ),
    Says('afterwards the session has no "k"', ended(session={"l": 1}), (ended(session={"k": None}), NOTHING)),
    Says(
        "outside a run, sending an event fails",
        _tried(send_event=True, set=False),
        (_tried(send_event=False), _tried(set=True)),
    ),
    Says(
        "outside a run, setting a run-local value fails",
        _tried(set=True, get=False),
        (_tried(set=False, get=True), _tried(get=True), NOTHING),
    ),
    Says(
        "model call 2 receives",
        both(asked(said("user", "Hello!")), RECEIVED),
        (
            RECEIVED,
            both(RECEIVED, asked(said("user", "Hello!"))),
            both(RECEIVED, asked(said("assistant", "Hello."))),
            both(RECEIVED, asked(said("user", "Hello."), said("user", "Hello."))),
            both(RECEIVED, asked()),
        ),
        TABLE,
    ),
    Says(
        'the last message of model call 1 is "Hello." or "Hi."',
        asked(said("user", "Hallo."), said("user", "Hello.")),
        (asked(said("user", "Hello."), said("user", "Hallo.")), asked(), both(asked(), RECEIVED)),
    ),
    Says(
        'the last message of model call 1 is "Hi." or "Hello."',
        RECEIVED,
        (asked(said("user", "Hi. or Hello.")), both(asked(said("user", "Hallo.")), RECEIVED)),
    ),
    Says(
        "in any order, model call 1 receives the results",
        asked(said("user", "Hello."), said("tool", "b"), said("tool", "a")),
        (
            asked(said("tool", "a")),
            asked(said("tool", "a"), said("tool", "b"), said("tool", "b")),
            asked(said("tool", "a"), said("user", "b")),
            both(asked(), asked(said("tool", "b"), said("tool", "a"))),
            NOTHING,
        ),
        [["content"], ["a"], ["b"]],
    ),
    Says(
        'call 1 of the model "backup" receives',
        both(asked(said("user", "Hello!")), asked(said("user", "Hello."), model="backup")),
        (RECEIVED, both(RECEIVED, asked(said("user", "Hello!"), model="backup"))),
        TABLE,
    ),
    Says(
        'the system message of model call 1 is "Be.", and after it, in any order, B, A',
        asked(*SYSTEM),
        (
            asked(said("system", "Be. A")),
            asked(said("system", "Be. A B C")),
            asked(said("system", "A Be. B")),
            asked(*SYSTEM, said("system", "Be. A B")),
            asked(said("user", "Be. A B")),
            NOTHING,
        ),
    ),
    Says(
        "the trace is",
        called("before agent H", "  model", "after agent H"),
        (
            called("before agent H", "model", "after agent H"),
            called("before agent H", "after agent H", "model"),
            called("before agent H", "  model", "after agent H", "after agent I"),
            called("before agent H", "  model", "after agent H", run="2"),
            called("before agent H", "  model", "after agent H", agent="sub"),
            NOTHING,
        ),
        "before agent H\n  model\nafter agent H",
    ),
    Says("the trace of run 2 is", both(called("a"), called("model", run="2")), (called("model"), NOTHING), "model"),
    Says(
        'the trace of "sub" is',
        called("model", agent="sub"),
        (called("model"), called("model s", agent="sub")),
        "model",
    ),
    Says(
        'around the tool call "c1", the trace is',
        TWO_CALLS,
        (_around("c1", "around tool H"), _around("other", "around tool H", "tool t"), ended(FAILED)),
        "around tool H\n  tool t",
    ),
    Says(
        "the trace has, in this order",
        called("model", "tool s", "tool t", "model"),
        (called("tool t", "model"), called("model", "tool s"), called("model", "tool t", run="2"), ended(FAILED)),
        "model\ntool t",
    ),
    Says(
        "the trace of run 2 has, in this order",
        called("model", "tool s", "tool t", run="2"),
        (called("model", "tool t"), called("tool t", "model", run="2")),
        "model\ntool t",
    ),
    Says(
        '"tool t" happens 2 times', called("tool t", "  tool t"), (called("tool t"), called(*["tool t"] * 3), NOTHING)
    ),
    Says('"tool t" never happens', called("model"), (called("model", "  tool t"), NOTHING, ended(FAILED))),
    Says(
        "the cancel requests return",
        _waited((True, "cancelled"), (False, "ended")),
        (
            _waited((True, "cancelled")),
            _waited((False, "ended"), (True, "cancelled")),
            _waited((True, "cancelled"), (True, "ended")),
            _waited((True, "cancelled"), (False, "timed out")),
            NOTHING,
        ),
        [["contributed", "waiting returns"], ["yes", "cancelled"], ["no", "ended before"]],
    ),
    Says(
        "waiting for the cancellation ends after every call has returned",
        both(called("model"), _waited((True, "cancelled"))),
        (
            called("model"),
            both(_waited((True, "cancelled"))),
            both(called("model"), Observation(waits=(Waited(n=3, run="1", contributed=True, outcome="cancelled"),))),
        ),
    ),
    Says(
        "every call has returned",
        called("model"),
        (
            NOTHING,
            ended(FAILED),
            both(called("model"), Observation(spans=(Span(n=8, name="tool t", agent="agent", run="1"),))),
        ),
    ),
    Says(
        "the cancellation error reports",
        _cancel(),
        (
            _cancel(escalated=False),
            _cancel(timed_out=True),
            _cancel(()),
            _cancel(("after tools",)),
            ended(CANCEL),
            NOTHING,
        ),
        [["safe points", "escalated", "timeout"], ["the model call", "yes", "no"]],
    ),
    Says(
        "the handler under test does not modify its inputs",
        _handled(),
        (_handled(kept=False), _handled("before model"), NOTHING, ended(FAILED)),
    ),
    Says(
        "each hook of the handler under test returns a valid result",
        _handled(),
        (_handled(returned=False), _handled("before model"), NOTHING),
    ),
    Says(
        "called again on its own result, the handler under test changes nothing",
        _handled(changes=False),
        (
            _handled(changes=True),
            NOTHING,
            Observation(handled=(Handled(n=1, hook="before model", run="1", kept=True, returned=True),)),
        ),
    ),
    Says(
        "all runs make the same model calls",
        both(RECEIVED, asked(said("user", "Hello."), run="2"), ended(), ended(run="2")),
        (
            both(RECEIVED, asked(said("user", "Hello!"), run="2"), ended(), ended(run="2")),
            both(RECEIVED, ended(), ended(run="2")),
            both(ended(), ended(run="2")),
        ),
    ),
)
