"""Given: handlers, legacy middlewares and tool middlewares."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from loopspec.contract.actions import Script
from loopspec.contract.agents import HandlerChange, Own, Scripted

from ..actions import ACTION_LIST, SCRIPT, SEVERAL_WHERE, script_of, script_text
from ..builders.scene import OBSERVERS, SceneBuilder
from ..declarations import ClosedList, OpenType, Word
from ..phrasebook import given
from ..settings import Added
from ..templates import Made, hole
from .parts import AGENT, HANDLER, LEGACY
from .tables import SCRIPTS, TOOLS

Claim = Literal["idempotent", "no-op"]

CLAIMS: ClosedList[Claim] = ClosedList(
    "claims of a handler",
    "What the handler under test claims to be.",
    Word("idempotent", "A hook that receives its own result changes nothing more.", "idempotent"),
    Word("a no-op", "The handler changes nothing.", "no-op"),
)

CHANGES: ClosedList[HandlerChange] = ClosedList(
    "changes of a handler",
    "What the handler under test may declare to change.",
    Word("requests", "The conversation, or the messages and tools of a model call.", "requests"),
    Word("answers", "The answers of models, and with them the events and the final answer.", "answers"),
    Word("tool calls", "The arguments of tool calls, or how often a call is made.", "tool-calls"),
    Word("results", "The results of tools.", "results"),
    Word("model errors", "The errors of model calls.", "model-errors"),
    Word("tool errors", "The errors of tools.", "tool-errors"),
)


# What a tool middleware does is what a handler does around tools.
_TOOL_WRAPPER: Any = Made(("actions",), partial(script_of, "around tool"), lambda script: script_text(script)[1:])

SEVERAL_CHANGES = OpenType(
    "several changes",
    f"Changes that a handler can declare, with `or` between them: {', '.join(word.text for word in CHANGES.words)}.",
    "requests or answers",
    lambda text: tuple(map(CHANGES.read, text.split(" or "))),
)


HANDLER.given('a handler "{name}" that observes', "A handler whose hooks only observe.", scripts=Added(OBSERVERS))
HANDLER.given(
    'a handler "{name}" that overrides no hook',
    "The implementation's own base handler, in which every hook does nothing.",
)
HANDLER.given(
    'a handler "{name}" that observes {where}',
    "A handler that only observes, in one hook, or in several with `and` between them.",
    holds={"where": SEVERAL_WHERE},
    scripts=Added(hole("where")),
)
HANDLER.given(
    'a handler "{name}" that, {where:Where}, {actions}',
    "A handler and its actions in one hook. A second step about the handler adds to the first.",
    holds={"actions": ACTION_LIST},
    scripts=Added(SCRIPT),
)
HANDLER.given(
    'a handler "{name}" with the actions',
    "A handler and its actions in several hooks.",
    SCRIPTS,
    scripts=Added(hole("table")),
)
AGENT.given("the handler under test", "The handler that is judged in the role handler.", handlers=Added(Own()))
AGENT.given(
    "the handler under test, which declares no change of {parts}",
    "The handler that is judged in the role handler, unless it declares to change one of these parts.",
    holds={"parts": SEVERAL_CHANGES},
    handlers=Added(Own(unchanged=hole("parts"))),
)
AGENT.given(
    "the handler under test, in one agent per run",
    "The handler that is judged in the role handler. All agents have the same handler object.",
    handlers=Added(Own(shared=True)),
)


@given("the handler under test, which claims to be {claim}", claim=CLAIMS)
def handler_under_test_claims(scene_builder: SceneBuilder, claim: str) -> None:
    """The handler that is judged in the role handler, with a claim.

    Each hook of an idempotent handler is called a second time.
    """
    known = CLAIMS.read(claim)
    scene_builder.described.attach(Own(claim=known, again=known == "idempotent"))


LEGACY.given('an empty legacy middleware "{name}"', "A legacy middleware in which every optional part is missing.")
LEGACY.given(
    'a legacy middleware "{name}" that observes',
    "A legacy middleware with every function that only observes.",
    scripts=(Script(hook="before model"), Script(hook="after model"), Script(hook="around tool")),
)
LEGACY.given(
    'a legacy middleware "{name}" that adds the instruction "{text}"',
    "A legacy middleware that appends a text to the instruction.",
    instruction="{text}",
)
LEGACY.given(
    'a legacy middleware "{name}" that adds the tools',
    "A legacy middleware that provides additional tools.",
    TOOLS,
    tools=hole("table"),
)
LEGACY.given(
    'the legacy middleware "{name}" supports plain messages only',
    "The functions of the legacy middleware do not support agentic messages.",
    plain_only=True,
)


LEGACY.given(
    'a legacy middleware "{name}" that, {where:Where}, {actions}',
    "A legacy middleware and its actions in one function.",
    holds={"actions": ACTION_LIST},
    scripts=Added(SCRIPT),
)
AGENT.given(
    'a tool middleware "{name}" that {actions}',
    "A function that wraps tool calls, configured with the tools, and its actions.",
    holds={"actions": ACTION_LIST},
    tool_middlewares=Added(Scripted(name="{name}", scripts=(_TOOL_WRAPPER,))),
)
