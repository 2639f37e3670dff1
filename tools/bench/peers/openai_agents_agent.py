"""openai-agents' `Runner` with a model that calls a tool until it answers."""

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from timing import report

set_tracing_disabled(True)


@function_tool
async def echo(x: str) -> str:
    """Return the argument."""
    return x


class CallsTool(Model):
    """A model that calls the tool in every call except the last."""

    def __init__(self, calls):
        self.left = calls

    async def get_response(self, *args, **kwargs):
        self.left -= 1
        if self.left:
            item = ResponseFunctionToolCall(
                id=f"i{self.left}", call_id=f"c{self.left}", name="echo", arguments='{"x": "1"}', type="function_call"
            )
        else:
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            item = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


async def run(calls, handlers):
    result = await Runner.run(Agent(name="a", model=CallsTool(calls), tools=[echo]), "go", max_turns=calls + 1)
    assert result.final_output == "done"


report(run, handlers=(0,))  # a run has one set of hooks, and no middlewares
