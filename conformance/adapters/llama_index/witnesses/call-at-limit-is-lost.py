"""A run fails after the model call that reaches the limit, also if this call has given the final answer."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import WorkflowRuntimeError

from scripted import REQUESTS, calls, model, weather


async def main() -> None:
    for limit in (3, 2):
        REQUESTS.clear()
        agent = FunctionAgent(tools=[weather], llm=model(calls("weather"), "It is sunny."), streaming=False)
        try:
            ended = str(await agent.run(user_msg="What is the weather?", max_iterations=limit))
        except WorkflowRuntimeError as error:
            ended = str(error).partition("!")[0]
        print(f"a limit of {limit}, {len(REQUESTS)} model calls: {ended}")


asyncio.run(main())

# Output:
# called: weather
# a limit of 3, 2 model calls: It is sunny.
# called: weather
# a limit of 2, 2 model calls: Max iterations of 2 reached
