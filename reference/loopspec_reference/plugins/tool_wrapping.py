"""A tool call through the wrappers of a stack, for all four kinds of tools."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial

from ..calls.chains import nested
from ..runs.run import Run, jump_to
from ..tools.kinds import ToolContext, ToolInfo, ToolRequest, ToolResult
from ..values.messages import ImagePart, TextPart, ToolCall
from .errors import HookError
from .layers import Layer, awaited
from .middleware import Command, CommandTool, ToolAnswer, ToolCallRequest, ToolHandler, ToolOutcome


class Unowned(ToolOutcome, frozen=True):
    """The result of a command that another stack of the agent carries out."""

    command: Command | None = None


async def wrapped_tool_call(layers: Sequence[Layer], run: Run, call: ToolCall, innermost: ToolHandler) -> ToolOutcome:
    """Return the outcome of the call through the layers with wrappers, the first outermost (XP-WRAP-02, XP-BEST-08).

    The command that the outermost wrapper returns is carried out; a dropped command has no effect (XP-WRAP-20).
    """
    wraps = [partial(_wrapped, layer, run) for layer in layers if layer.middleware.wrap_tool_call is not None]
    answer: ToolAnswer = await nested(wraps, innermost)(ToolCallRequest(call))
    if not isinstance(answer, Command):
        return answer
    owner = next((layer for layer in layers if layer.state is answer.owner), None)
    if owner is None:
        return Unowned(answer.result.text, answer.result.parts, answer)
    by = owner.name_of("command")
    owner.state.write(run, owner.state.checked(answer.update, by), by)
    if answer.goto is not None:
        jump_to(answer.goto)  # type: ignore[arg-type]  # a target, checked by `Layer.owned`
    return answer.result


def _wrapped(layer: Layer, run: Run, endpoint: ToolHandler) -> ToolHandler:
    """Return the endpoint inside the wrapper of one middleware, which receives its own state and context."""
    wrapper = layer.middleware.wrap_tool_call
    assert wrapper is not None, "layers without a wrapper are left out"
    source = layer.name_of("wrap_tool_call")

    async def around(request: ToolCallRequest) -> ToolAnswer:
        def handler(passed: ToolCallRequest) -> Awaitable[ToolAnswer]:
            if not isinstance(passed, ToolCallRequest) or not isinstance(passed.call, ToolCall):
                raise HookError(f"{source} has passed on {passed!r:.80}: pass on the request, or a changed copy of it")
            if (passed.call.id, passed.call.name) != (request.call.id, request.call.name):
                raise HookError(
                    f"{source} has passed on the call {passed.call!r:.80}: only its arguments can be changed"
                )
            return endpoint(passed)

        own = ToolCallRequest(request.call, layer.state.read(run), layer.runtime(run))
        answer = await awaited(wrapper(own, handler))
        if isinstance(answer, Command):
            return layer.owned(answer, "wrap_tool_call")
        if not isinstance(answer, ToolOutcome):
            raise HookError(f"{source} has returned {answer!r:.80}: return a ToolOutcome or a Command")
        return answer

    return around


class CommandText(str):
    """A text with the command that it belongs to: the loop passes on texts only."""

    __slots__ = ("command",)

    def __init__(self, text: str, command: Command) -> None:
        self.command = command

    def __new__(cls, text: str, command: Command) -> CommandText:
        """Return the text itself."""
        return super().__new__(cls, text)


class OwnedTool:
    """A middleware's tool as a tool of the loop. The text that it returns carries its command, if any."""

    def __init__(self, tool: CommandTool, layer: Layer) -> None:
        self._tool = tool
        self._layer = layer
        if hasattr(tool, "stream"):
            self.stream = tool.stream

    @property
    def info(self) -> ToolInfo:
        """The description for the model."""
        return self._tool.info

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Run the tool. Raises `HookError` for an answer that is neither a text nor a command."""
        answer = await self._tool.invoke(context, request)
        part = f"tool {context.name!r}"
        if isinstance(answer, Command):
            command = self._layer.owned(answer, part)
            return CommandText(as_text(command.result, self._layer.name_of(part)), command)
        if not isinstance(answer, str):
            raise HookError(f"{self._layer.name_of(part)} has returned {answer!r:.80}: return a text or a Command")
        return answer


def as_text(outcome: ToolOutcome, by: str) -> str:
    """Return the outcome for a tool whose result is a text. Raises `HookError` for an outcome with images."""
    if any(isinstance(part, ImagePart) for part in outcome.parts):
        raise HookError(f"{by} returns an image, but its result must be a text: make it an enhanced tool")
    return outcome.text + "".join(part.text for part in outcome.parts if isinstance(part, TextPart))


def as_result(outcome: ToolOutcome) -> ToolResult:
    """Return the outcome for an enhanced tool."""
    texts = (TextPart(outcome.text),) if outcome.text else ()
    return ToolResult((*texts, *outcome.parts))
