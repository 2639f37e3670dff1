"""The requests and answers of an agent's doubles: of models, of tools, and of hooks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated

from .values import Json, Message, Needs, Part, ToolInfo, ToolKind, Value


class ModelRequest(Value, frozen=True):
    """A request to a model. `options` are settings of this request alone.

    The system instruction is the first message, of the role system. An adapter whose framework holds the instruction
    apart from the messages passes it as `system`, and the harness puts it in its place; "" is no instruction. The
    request of a wrapper then returns to the adapter in the same form.

    `model`, around a model call: the name of the model that answers the request instead of the agent's own.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[ToolInfo, ...] = ()
    deferred_tools: tuple[ToolInfo, ...] = ()
    tool_search: ToolInfo | None = None
    options: dict[str, Json] = {}
    streaming: bool = False
    model: str | None = None
    system: str | None = None


class Resumed(Value, frozen=True):
    """The resume of a tool or a hook: the `state` of its interrupt, and the caller's answer as `data`."""

    state: Json = None
    data: Json = None


class Decision(Value, frozen=True):
    """What a person decides about a tool call that needs approval; as JSON, the answer to the interrupt of the call.

    `arguments` replace those of the model; None: the call keeps its own. `reason`: why the call is denied.
    """

    approved: bool
    arguments: Annotated[str | None, Needs("approval-edits")] = None
    reason: str = ""


class ToolRequest(Value, frozen=True):
    """A call of a tool. Wrappers may add `options`.

    `call_id` is the id of the model's call. None: the framework passes no id to its tools.
    """

    tool: str
    call_id: str | None = ""
    args: str = ""
    kind: ToolKind = "invokable"
    options: dict[str, Json] = {}
    resumed: Resumed | None = None


class Command(Value, frozen=True):
    """A command that a tool of the plugin layer, or a wrapper around one, returns with its answer.

    `state` are new values of fields of its middleware's own state; `goto` is the node where the run continues.
    """

    state: dict[str, Json] = {}
    goto: str | None = None


class ToolAnswer(Value, frozen=True):
    """The answer of a tool, or one chunk of it: a text, or the parts of an enhanced tool; also a command, if any."""

    text: str = ""
    parts: tuple[Part, ...] = ()
    command: Command | None = None


class AgentStart(Value, frozen=True):
    """The start of a run, as the hook before the agent receives and returns it. Tools are named.

    None means not reported: the framework does not pass the value to its hook, and the adapter must not take it from
    the scene. A target that reports a value declares `reports-instruction`, `reports-tools` or
    `reports-return-directly`; without the declaration, cases about the value are inapplicable. In a returned start,
    None means that the handler does not change the value.
    """

    instruction: str | None = None
    tools: tuple[str, ...] | None = None
    return_directly: tuple[str, ...] | None = None
    tool_search: str | None = None


class State(Value, frozen=True):
    """The state that the hooks before and after a model call receive: the conversation, and the tools by name.

    The system instruction is the first message, or `system`, as in a `ModelRequest`. `tools`: None means not reported,
    as in `AgentStart`.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] | None = None
    deferred_tools: tuple[str, ...] = ()
    system: str | None = None


class InvalidValue(Value, frozen=True):
    """A value that no middleware and no factory may return. An adapter passes it on unchanged."""


class Edited(Value, frozen=True):
    """The state that a hook returns. A number is the index of a message in the state that the hook received.

    A number says that the hook keeps the message: an adapter keeps its framework's own object. Where one message of the
    framework is several messages here, keep it if all its numbers follow each other, and otherwise make new messages of
    the numbers that remain. `system` is the new system instruction, for a state
    that had its own one as `system`; "" removes the instruction.
    `tools`: None means that the hook received no tools and does not choose any: the adapter leaves the tools unchanged.
    In the plugin layer, `own` are new values of fields of the middleware's own state, `jump` is the node where the run
    continues, and `invalid`, if set, is a value that follows the messages.
    """

    messages: tuple[Message | int, ...] = ()
    tools: tuple[str, ...] | None = None
    deferred_tools: tuple[str, ...] = ()
    own: dict[str, Json] = {}
    jump: str | None = None
    invalid: InvalidValue | None = None
    system: str | None = None

    def in_groups(self, sizes: Sequence[int]) -> list[int | tuple[Message | int, ...]]:
        """Return the edits of a state in which message n of the framework is `sizes[n]` messages of the contract.

        A number is the index of a framework's message that stays, since all its messages stay in their order. A tuple
        has the messages between: new ones, and the indexes of those that remain of a framework's message. The adapter
        makes new messages of its framework from a tuple.
        """
        starts = list(accumulate(sizes, initial=0))
        groups = {start: n for n, (start, size) in enumerate(zip(starts, sizes, strict=False)) if size}
        edits: list[int | tuple[Message | int, ...]] = []
        at = 0
        while at < len(self.messages):
            item = self.messages[at]
            n = groups.get(item) if isinstance(item, int) else None
            if n is not None and self.messages[at : at + sizes[n]] == tuple(range(starts[n], starts[n + 1])):
                edits.append(n)
                at += sizes[n]
                continue
            if edits and isinstance(edits[-1], tuple):
                edits[-1] += (item,)
            else:
                edits.append((item,))
            at += 1
        return edits


class View(Value, frozen=True):
    """What a hook of a middleware of the plugin layer sees, in addition to the conversation.

    `own` is the middleware's own state, `context` what it can read of the runtime context; None: no context.
    """

    own: dict[str, Json] = {}
    context: dict[str, Json] | None = None


class ModelContext(Value, frozen=True):
    """The model call as a hook sees it: its tools, and whether it has a retry and a failover.

    None means not reported: tools that the context does not report are those of the state or of the request. A target
    that reports `retry` and `failover` declares `reports-recovery`.
    """

    tools: tuple[str, ...] | None = None
    retry: bool | None = None
    failover: bool | None = None


class ChosenModel(Value, frozen=True):
    """The model to call next, by name, if there is one; `messages`, if set, replace the ones sent before."""

    model: str | None = None
    messages: tuple[Message, ...] | None = None
