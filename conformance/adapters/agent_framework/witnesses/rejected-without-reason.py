"""A rejected call has one fixed result: an approval response takes no reason for it."""

import asyncio
from inspect import signature

from agent_framework import Agent, AgentSession, Content, Message, tool

from scripted import Scripted, calls, says, shown


@tool(approval_mode="always_require")
def pay() -> str:
    """Pay."""
    return "paid"


async def main() -> None:
    print("a response has:", *list(signature(Content.to_function_approval_response).parameters)[1:])
    model, session = Scripted(calls("pay"), says("done")), AgentSession()
    agent = Agent(model, tools=[pay])
    request = (await agent.run("hi", session=session)).user_input_requests[0]
    rejected = request.to_function_approval_response(approved=False)
    await agent.run(Message("user", [rejected]), session=session)
    print("the model receives", shown(model.requests[1][-1:]))


asyncio.run(main())

# Output:
# a response has: approved
# the model receives [('tool', 'Error: Tool call invocation was rejected by user.')]
