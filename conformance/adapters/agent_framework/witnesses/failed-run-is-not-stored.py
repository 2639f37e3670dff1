"""A run that fails leaves nothing in its session: the next run has neither the user's message nor the tool's result."""

import asyncio

from agent_framework import Agent, ChatContext, chat_middleware, tool

from scripted import Scripted, calls, says, shown


@chat_middleware
async def busy(context: ChatContext, call_next) -> None:
    if context.messages[-1].role == "tool":
        raise ConnectionError("busy")
    await call_next()


@tool
def weather() -> str:
    print("weather() returns sunny")
    return "sunny"


async def main() -> None:
    client = Scripted(calls("weather"), says("done"))
    agent = Agent(client, tools=[weather], middleware=[busy])
    session = agent.create_session()
    try:
        await agent.run("What is the weather?", session=session)
    except ConnectionError as error:
        print(f"run 1 fails: {error!r}")
    await agent.run("Go on.", session=session)
    print("run 2 sends", shown(client.requests[-1]))


asyncio.run(main())

# Output:
# weather() returns sunny
# run 1 fails: ConnectionError('busy')
# run 2 sends [('user', 'Go on.')]
