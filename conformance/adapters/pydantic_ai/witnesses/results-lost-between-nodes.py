"""A run that is cancelled between a tool call and the next model call loses the result, and the call is repeated."""

import asyncio

from pydantic_ai import Agent, ModelResponse, RunCancelled, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

answers = iter([ModelResponse([ToolCallPart("weather")]), ModelResponse([TextPart("done")])])
agent = Agent(FunctionModel(lambda messages, info: next(answers)))


@agent.tool_plain
def weather() -> str:
    print("the tool returns: sunny")
    return "sunny"


async def main() -> None:
    called = False
    try:
        async with agent.iter("hi") as run:
            async for node in run:
                if called:
                    run.cancel()
                called = Agent.is_call_tools_node(node)
    except RunCancelled as error:
        print("messages:", [part.part_kind for message in error.all_messages() for part in message.parts])
        await agent.run(message_history=error.all_messages())


asyncio.run(main())

# Output:
# the tool returns: sunny
# messages: ['user-prompt', 'tool-call']
# the tool returns: sunny
