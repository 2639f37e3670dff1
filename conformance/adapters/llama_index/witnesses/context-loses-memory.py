"""A second run with the context of the first one begins without the messages of the first one."""

import asyncio
import warnings

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context

from scripted import REQUESTS, model


async def main() -> None:
    agent = FunctionAgent(llm=model("Hello, Laurie.", "I do not know."), streaming=False)
    ctx = Context(agent)
    await agent.run(user_msg="My name is Laurie.", ctx=ctx)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        await agent.run(user_msg="What is my name?", ctx=ctx)
    print("warning:", str(caught[0].message).partition(" --")[0])
    print("the second run sends:", REQUESTS[1])


asyncio.run(main())

# Output:
# warning: Skipping serialization of known unserializable key: memory
# the second run sends: ['user: What is my name?']
