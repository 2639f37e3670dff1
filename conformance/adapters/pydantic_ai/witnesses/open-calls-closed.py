"""A tool call that has no result when its run is cancelled gets a synthesized one, and is not performed again."""

import asyncio

from pydantic_ai import Agent, ModelMessage, ModelResponse, RunCancelled, RunContext, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

answers = iter([ModelResponse([ToolCallPart("weather")]), ModelResponse([TextPart("done")])])


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("the model receives:", [part.content for part in messages[-1].parts])
    return next(answers)


agent = Agent(FunctionModel(model))


@agent.tool
async def weather(ctx: RunContext) -> str:
    print("the tool is called")
    ctx.cancel()
    await asyncio.sleep(1)
    return "sunny"


try:
    agent.run_sync("hi")
except RunCancelled as error:
    agent.run_sync(message_history=error.all_messages())

# Output:
# the model receives: ['hi']
# the tool is called
# the model receives: ['The tool call was interrupted before a result was produced.']
