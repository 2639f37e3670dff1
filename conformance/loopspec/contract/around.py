"""The actions around a call, and those of the plugin layer."""

from __future__ import annotations

from typing import Literal

from .acting import AROUND, HOOKS, MODEL, STATE, TOOL, ActionKind, Hole, says
from .values import Json

# -- around a call -----------------------------------------------------------------------------------------------------


class CallInner(ActionKind, frozen=True):
    """Call the inner endpoint at this point.

    An error becomes the answer `fallback`, if set. A failing call is repeated until `tries` calls were made. An answer
    that the wrapper `drops` is not used.
    """

    fallback: str | None = None
    tries: int = 1
    drops: bool = False
    places = AROUND
    effects = {"answer"}
    sentences = (
        says("calls the next handler"),
        says(
            'calls the next handler and answers "{text}" if it fails',
            "Call the inner endpoint; if the call fails, answer with the text.",
            fallback="{text}",
        ),
        says(
            "calls the next handler up to {n:d} times while it fails",
            "Call the inner endpoint, and call again after a failure, up to the given number of calls.",
            tries=Hole("n"),
        ),
        says(
            "calls the next handler and drops its answer",
            "Call the inner endpoint, and do not use its answer.",
            drops=True,
        ),
    )


class Answer(ActionKind, frozen=True):
    """Short-circuit with an answer; the inner endpoint is not called."""

    text: str
    places = AROUND
    effects = {"answer", "course"}
    sentences = (
        says('short-circuits with "{text}"'),
        says("short-circuits with an empty text", "Short-circuit with an empty answer.", text=""),
    )


class AppendAnswer(ActionKind, frozen=True):
    """Append a text to the answer of the inner endpoint."""

    text: str
    places = AROUND
    effects = {"answer"}
    sentences = (says('appends "{text}" to the answer'),)


class Rewrite(ActionKind, frozen=True):
    """Call the inner endpoint with one more user message, or with other arguments of the tool."""

    text: str
    places = AROUND
    effects = {"request"}
    sentences = (
        says(
            'passes on the additional user message "{text}"',
            "Call the inner endpoint with one more user message.",
            places=MODEL,
        ),
        says(
            "passes on the arguments {args}",
            "Call the inner endpoint with other arguments.",
            places=TOOL,
            text=Hole("args", raw=True),
        ),
    )


class AddOption(ActionKind, frozen=True):
    """Call the inner endpoint with an additional option."""

    key: str
    value: Json
    places = TOOL
    needs = ("tool-options",)
    sentences = (says('passes on the option "{key}" as "{value}"'),)


class SetSystem(ActionKind, frozen=True):
    """Call the inner endpoint with this system message in place of all others."""

    text: str
    append: bool = False
    places = MODEL
    effects = {"request"}
    sentences = (
        says('passes on the system message "{text}"'),
        says("passes on no system message", "Call the inner endpoint without a system message.", text=""),
        says(
            'adds "{text}" to the system message passed on',
            "Call the inner endpoint with a text appended to the system message.",
            append=True,
        ),
    )


class UseModel(ActionKind, frozen=True):
    """Send the request to another model."""

    model: str
    places = MODEL
    effects = {"course"}
    sentences = (says('replaces the model with "{model}"'),)


class Redact(ActionKind, frozen=True):
    """Call the inner endpoint with one text replaced by another in all messages."""

    text: str
    by: str = "***"
    places = MODEL
    effects = {"request"}
    sentences = (says('replaces each "{text}" with "{by}" in the request'),)


class UseCache(ActionKind, frozen=True):
    """Short-circuit with the cached answer to an equal request; else cache the answer of the inner endpoint."""

    places = MODEL
    effects = {"answer", "course"}
    sentences = (says("answers equal requests from a cache"),)


# -- the plugin layer --------------------------------------------------------------------------------------------------


class SetState(ActionKind, frozen=True):
    """Set a field of the middleware's own state to a JSON value."""

    key: str
    value: Json
    places = STATE
    effects = {"state"}
    sentences = (says('sets the state "{key}" to {args}', value=Hole("args")),)


class Count(ActionKind, frozen=True):
    """Increase a field of the middleware's own state by one."""

    key: str
    places = STATE
    effects = {"state"}
    sentences = (says('increments "{key}" in the state'),)


class AssignContext(ActionKind, frozen=True):
    """Try to assign a JSON value in the runtime context, which is read-only.

    A rejection is in the hook's record.
    """

    key: str
    value: Json
    places = STATE
    effects = {"course"}
    sentences = (says('tries to set the runtime context "{key}" to {args}', value=Hole("args")),)


class Jump(ActionKind, frozen=True):
    """Make the run continue at `model`, `tools` or `end`; any other target is unknown."""

    target: str
    places = STATE
    needs = ("jump",)
    effects = {"course"}
    sentences = (says('jumps to "{target}"'),)


class ReturnNothing(ActionKind, frozen=True):
    """Return nothing where the hook must return a value."""

    places = HOOKS
    needs = ("missing-results",)
    effects = {"course"}
    sentences = (says("returns nothing"),)


class UseInvalidValue(ActionKind, frozen=True):
    """Return an invalid value, an object of the harness.

    Or pass the value as the `request`, around a call; or add it to the `messages`, in another hook.
    """

    place: Literal["answer", "request", "messages"] = "answer"
    places = HOOKS
    needs = ("invalid-values",)
    effects = {"results", "answer", "course"}
    sentences = (
        says("returns an invalid value"),
        says(
            "passes on an invalid value",
            "Call the inner endpoint with an invalid value as its request.",
            places=AROUND,
            place="request",
        ),
        says(
            "adds an invalid value to the messages",
            "Return a conversation that contains an invalid value.",
            places=STATE,
            place="messages",
        ),
    )


class GiveCommand(ActionKind, frozen=True):
    """Short-circuit a tool call with a command that has its own text, or that of the answer.

    `state` are fields of the middleware's own state, `goto` is the node where the run continues.
    """

    text: str | None = None
    state: dict[str, Json] = {}
    goto: str | None = None
    places = TOOL
    needs = ("command",)
    effects = {"course"}
    sentences = (
        says(
            'returns a command with the text "{text}"',
            "Short-circuit a tool call with a command that has only a text.",
        ),
        says(
            'returns a command with the text "{text}" that sets the state "{key}" to {args}',
            "Short-circuit a tool call with a command that sets a field of the middleware's own state.",
            state={"{key}": Hole("args")},
        ),
        says(
            'returns a command with the text "{text}" that goes to "{target}"',
            "Short-circuit a tool call with a command that jumps.",
            goto="{target}",
        ),
        says(
            'turns the answer into a command that sets the state "{key}" to {args}',
            "Turn the tool's answer into a command that sets a field of the middleware's own state.",
            state={"{key}": Hole("args")},
        ),
        says(
            'turns the answer into a command that goes to "{target}"',
            "Turn the tool's answer into a command that jumps.",
            goto="{target}",
        ),
    )
