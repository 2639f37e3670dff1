"""A tool runs another agent as its code says: in a streaming run, the model of the other agent does not stream."""

from collections.abc import AsyncIterator

from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

answers = iter([{0: DeltaToolCall("ask", tool_call_id="1")}, "done"])


async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    print("the agent's model streams")
    yield next(answers)


def helper_model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("the helper's model does not stream")
    return ModelResponse([TextPart("helped")])


helper = Agent(FunctionModel(helper_model))
agent = Agent(FunctionModel(stream_function=stream))


@agent.tool
async def ask(ctx: RunContext) -> str:
    return (await helper.run("help", usage=ctx.usage)).output


print(agent.run_stream_sync("hi").get_output())

# Output:
# the agent's model streams
# the helper's model does not stream
# the agent's model streams
# done
