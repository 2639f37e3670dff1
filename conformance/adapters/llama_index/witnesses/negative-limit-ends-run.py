"""A limit of zero stands for the default. A negative limit ends the run after the first model call."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import WorkflowRuntimeError

from scripted import model


async def main() -> None:
    for limit in (0, -1):
        try:
            ended = str(await FunctionAgent(llm=model("Hi."), streaming=False).run("Hello.", max_iterations=limit))
        except WorkflowRuntimeError as error:
            ended = str(error).partition("!")[0]
        print(f"a limit of {limit}: {ended}")


asyncio.run(main())

# Output:
# a limit of 0: Hi.
# a limit of -1: Max iterations of -1 reached
