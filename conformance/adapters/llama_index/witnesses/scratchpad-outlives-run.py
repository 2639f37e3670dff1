"""A run that does not end leaves its messages in the scratchpad: the next run sends them after its own message."""

import asyncio
import warnings

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context, WorkflowRuntimeError

from scripted import REQUESTS, calls, model, weather

warnings.simplefilter("ignore")


async def main() -> None:
    agent = FunctionAgent(tools=[weather], llm=model(calls("weather"), "done"), streaming=False)
    ctx = Context(agent)
    try:
        await agent.run(user_msg="What is the weather?", ctx=ctx, max_iterations=1)
    except WorkflowRuntimeError as error:
        print(str(error).partition("!")[0])
    try:
        await agent.run(user_msg="Never mind.", ctx=ctx)
    except WorkflowRuntimeError as error:
        print(str(error).partition("!")[0])
    print("the next run sends:", REQUESTS[1][-2:])


asyncio.run(main())

# Output:
# Max iterations of 1 reached
# Max iterations of 1 reached
# the next run sends: ['user: Never mind.', 'assistant: a tool call']
