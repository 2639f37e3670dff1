"""Agent middleware continues after `call_next` when a run ends with a request for approval, and when it resumes."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, AgentContext, AgentSession, Message, agent_middleware, tool

from scripted import Scripted, calls, says


@tool(approval_mode="always_require")
def weather() -> str:
    """Return the weather."""
    return "sunny"


@agent_middleware
async def after_run(context: AgentContext, call_next: Callable[[], Awaitable[None]]) -> None:
    await call_next()
    print("after the run:", [one.type for one in context.result.user_input_requests], repr(context.result.text))


async def main() -> None:
    agent = Agent(Scripted(calls("weather"), says("done")), tools=[weather], middleware=[after_run])
    session = AgentSession()
    response = await agent.run("hi", session=session)
    approved = [request.to_function_approval_response(True) for request in response.user_input_requests]
    await agent.run(Message("user", approved), session=session)


asyncio.run(main())

# Output:
# after the run: ['function_approval_request'] ''
# after the run: [] 'done'
