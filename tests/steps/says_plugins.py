"""What the Thens about middlewares of the plugin layer say yes and no to."""

from __future__ import annotations

from loopspec.contract.agents import Hook
from loopspec.contract.calls import View
from loopspec.contract.observation import Executed, Observation
from loopspec.contract.values import Json

from .saying import FAILED, Says, asked, both, ended, hooked, said

NOTHING = Observation()
REFUSED = Observation(created=FAILED)
HELLO, SYSTEM = said("user", "Hello."), said("system", "Be brief.")


def viewed(
    own: dict[str, Json] | None = None,
    context: dict[str, Json] | None = None,
    hook: Hook = "before model",
    handler: str = "A",
    run: str = "1",
) -> Observation:
    """One call of a hook, and what its middleware saw."""
    return hooked(hook, handler, run, view=View(own=own or {}, context=context))


def traced(node: str = "m", output: str | None = None, error: str | None = None, inputs: int = 1) -> Observation:
    """One entry of the execution trace."""
    return Observation(
        executions=(Executed(n=1, node=node, run="1", inputs=(HELLO,) * inputs, output=output, error=error),)
    )


SEES = (
    Says(
        'before model, "A" sees the state {"n": 1}',
        viewed({"n": 1, "m": 2}),
        (
            viewed({"n": 2}),
            viewed({"n": "1"}),
            viewed({"n": [1]}),
            viewed({"m": 1}),
            viewed(context={"n": 1}),
            viewed({"n": 1}, hook="after model"),
            viewed({"n": 1}, handler="B"),
            hooked("before model", "A"),
            both(viewed(), viewed({"n": 1})),
            ended(FAILED),
            NOTHING,
        ),
    ),
    Says('before model, "A" sees the state {"n": null}', viewed({"n": None}), (viewed(), viewed({"n": 0}), NOTHING)),
    Says(
        'before model call 2, "A" sees the state {"n": 1}',
        both(viewed(), viewed({"n": 1})),
        (both(viewed({"n": 1}), viewed()), viewed({"n": 1}), NOTHING),
    ),
    Says(
        'before model, "A" sees no "n" in its state',
        viewed({"m": 1}),
        (viewed({"n": 0}), viewed({"n": ""}), viewed(hook="after model"), ended(FAILED), NOTHING),
    ),
    Says(
        'building the agent fails, or before model, "A" sees the state {"n": 1}',
        viewed({"n": 1}),
        (viewed(), both(REFUSED, viewed()), both(ended(FAILED), asked(HELLO)), ended(), NOTHING),
    ),
    Says(
        'building the agent fails, or after model, "A" sees the state {"n": 1}',
        REFUSED,
        (both(REFUSED, hooked("after model", "B")), both(REFUSED, asked(HELLO)), both(ended(FAILED), viewed())),
    ),
    Says(
        'building the agent fails, or after agent, "A" sees the state {"n": 1}',
        ended(FAILED),
        (both(ended(FAILED), viewed({"n": 1})), NOTHING),
    ),
    Says(
        'before model, "A" sees the runtime context {"user": "u"}',
        viewed(context={"user": "u", "x": 1}),
        (
            viewed(context={"user": "v"}),
            viewed(context={}),
            viewed({"user": "u"}),
            viewed(),
            viewed(context={"user": "u"}, handler="B"),
            hooked("before model", "A"),
            NOTHING,
        ),
    ),
    Says(
        'before model of run 2, "A" sees the state {"n": 1}',
        both(viewed({"n": 2}), viewed({"n": 1}, run="2")),
        (
            viewed({"n": 1}),
            viewed({"n": 1}, run="3"),
            both(viewed({"n": 1}), viewed({"n": 2}, run="2")),
            hooked("before model", "A", "2"),
            NOTHING,
        ),
    ),
    Says(
        'before model of run 2, "A" sees no "user" in the runtime context',
        both(viewed(context={"user": "u"}), viewed(context={"x": 1}, run="2")),
        (viewed(context={"user": "u"}, run="2"), viewed(context={"user": ""}, run="2"), viewed(), NOTHING),
    ),
    Says(
        'the runtime context that "A" sees never changes',
        both(viewed(context={"user": "u"}), viewed(context={"user": "u"}), viewed(context={"user": "v"}, handler="B")),
        (
            both(viewed(context={"user": "u"}), viewed(context={"user": "v"})),
            both(viewed(context={"user": "u"}), viewed()),
            both(viewed(context={"user": "u"}), viewed(context={"user": "u"}, run="2"), hooked("after model", "A")),
            viewed(context={"user": "u"}),
            both(viewed(context={"user": "u"}), viewed(context={"user": "u"}, handler="B")),
            ended(FAILED),
            NOTHING,
        ),
    ),
)

AFTERWARDS = (
    Says(
        'afterwards the state includes {"n": 1}',
        ended(state={"n": 1, "m": 2}),
        (
            ended(state={"n": 2}),
            ended(state={"m": 1}),
            ended(session={"n": 1}),
            ended(run="2", state={"n": 1}),
            NOTHING,
        ),
    ),
    Says(
        'afterwards the state has no "n"',
        ended(state={"m": 1}),
        (ended(state={"n": 0}), ended(FAILED), ended(run="2"), REFUSED, NOTHING),
    ),
    Says(
        'no stored state of run 1 contains "pin é"',
        ended(state={"n": "pin"}, session={"m": "é"}),
        (
            ended(state={"n": ["a pin é b"]}),
            ended(state={"pin é": 1}),
            ended(session={"n": {"m": "pin é"}}),
            ended(FAILED),
            ended(run="2"),
            NOTHING,
        ),
    ),
    Says(
        'no stored state of run 1 contains "pin é"',
        ended(interrupted=True, checkpoint=b"pin"),
        (
            ended(interrupted=True, checkpoint="a pin é".encode()),
            ended(interrupted=True),
            ended(checkpoint="pin é".encode()),
        ),
    ),
    Says(
        "afterwards the state contains the texts pin, hat",
        ended(state={"n": [{"m": "a pin."}], "hat": "the hat"}),
        (
            ended(state={"n": "pin"}),
            ended(state={"pin": "n", "hat": "m"}),
            ended(session={"n": "pin, hat"}),
            ended(run="2", state={"n": "pin, hat"}),
            ended(FAILED),
            REFUSED,
            NOTHING,
        ),
    ),
    Says(
        'the run fails, or afterwards the state includes {"n": 1}',
        ended(state={"n": 1, "m": 2}),
        (ended(state={"n": 2}), ended(), ended(FAILED, run="2"), REFUSED, NOTHING),
    ),
    Says('the run fails, or afterwards the state includes {"m": 1}', ended(FAILED), (ended(interrupted=True),)),
)

ORDERS = (
    Says(
        'the hooks of "A" are, in this order, before agent, before model',
        both(viewed(hook="before agent"), viewed(handler="B"), viewed(run="2")),
        (
            both(viewed(), viewed(hook="before agent")),
            viewed(hook="before agent"),
            both(viewed(hook="before agent"), viewed(), viewed()),
            ended(FAILED),
            NOTHING,
        ),
    ),
    Says(
        "before model, the middlewares are called in the order A, B",
        both(viewed(handler="A"), viewed(handler="B", hook="after model"), viewed(handler="B"), viewed(run="2")),
        (
            both(viewed(handler="B"), viewed(handler="A")),
            viewed(),
            both(viewed(), viewed(handler="B"), viewed()),
            both(viewed(), viewed(handler="B", run="2")),
            ended(FAILED),
            NOTHING,
        ),
    ),
    Says(
        "around model, no middleware is called",
        both(ended(), viewed()),
        (both(ended(), viewed(hook="around model")), both(ended(FAILED), viewed()), viewed(), NOTHING),
    ),
)

EXECUTIONS = (
    Says(
        "the execution trace is",
        both(traced("m1", "short", inputs=2), traced("m2", error="no", inputs=0)),
        (
            both(traced("m2", error="no", inputs=0), traced("m1", "short", inputs=2)),
            both(traced("m1", "short", inputs=2), traced("m2", inputs=0)),
            both(traced("m1", "short", inputs=1), traced("m2", error="no", inputs=0)),
            both(traced("m1", "long", inputs=2), traced("m2", error="no", inputs=0)),
            traced("m1", "short", inputs=2),
            ended(FAILED),
            NOTHING,
        ),
        [["node", "inputs", "output", "outcome"], ["m1", "2", "short", "success"], ["m2", "0", "", "failure"]],
    ),
    Says("the execution trace is", traced("m1"), (traced("m2"), both(traced("m1"), traced("m1"))), [["node"], ["m1"]]),
    Says(
        "the execution trace has one entry",
        both(ended(), traced()),
        (ended(), both(ended(), both(traced(), traced())), both(ended(FAILED), traced()), traced(), NOTHING),
    ),
    Says(
        "the execution trace has 2 entries",
        both(ended(), both(traced(), traced())),
        (ended(), both(ended(), traced()), both(ended(FAILED), both(traced(), traced())), NOTHING),
    ),
    Says("the execution trace is empty", ended(), (both(ended(), traced()), ended(FAILED), ended(run="2"), NOTHING)),
)

BUILT_INS = (
    Says(
        'call 2 of the model "m" does not contain "pin"',
        both(asked(said("user", "pin"), model="m"), asked(said("user", "pin"), model="n"), asked(HELLO, model="m")),
        (
            both(asked(HELLO, model="m"), asked(HELLO, said("system", "a pin."), model="m")),
            both(asked(HELLO, model="n"), asked(HELLO, model="m")),
            both(REFUSED, ended(FAILED)),
            NOTHING,
        ),
    ),
    Says(
        'call 1 of the model "m" ends with',
        asked(SYSTEM, SYSTEM, HELLO, model="m"),
        (
            asked(SYSTEM, HELLO, HELLO, model="m"),
            asked(SYSTEM, HELLO, SYSTEM, model="m"),
            asked(HELLO, model="m"),
            asked(SYSTEM, HELLO, model="n"),
            NOTHING,
        ),
        [["role", "content"], ["system", "Be brief."], ["user", "Hello."]],
    ),
    Says(
        r'the system message of call 1 of the model "m" begins with "Be brief." and continues',
        asked(said("system", "Be brief. Now."), HELLO, model="m"),
        (
            asked(SYSTEM, HELLO, model="m"),
            asked(said("system", "Be brief. \n"), HELLO, model="m"),
            asked(said("system", "Now. Be brief. Now."), HELLO, model="m"),
            asked(said("system", "Be brief. Now."), SYSTEM, model="m"),
            asked(said("user", "Be brief. Now."), model="m"),
            asked(said("system", "Be brief. Now."), HELLO, model="n"),
            NOTHING,
        ),
    ),
    Says(
        'every call of the model "m" has the same system message',
        both(asked(SYSTEM, model="m"), asked(HELLO, model="n"), asked(SYSTEM, HELLO, model="m")),
        (
            asked(SYSTEM, model="m"),
            both(asked(SYSTEM, model="m"), asked(said("system", "Be."), model="m")),
            both(asked(SYSTEM, model="m"), asked(HELLO, model="m")),
            both(asked(HELLO, model="m"), asked(HELLO, model="m")),
            both(asked(SYSTEM, SYSTEM, model="m"), asked(SYSTEM, SYSTEM, model="m")),
            both(asked(SYSTEM, model="m"), asked(SYSTEM, model="m"), asked(model="m")),
            NOTHING,
        ),
    ),
)

SAYINGS = (*SEES, *AFTERWARDS, *ORDERS, *EXECUTIONS, *BUILT_INS)
