"""A tool of a sub-agent requests an approval: the outer model receives an error, and the caller no request."""

import asyncio

from agent_framework import Agent, tool

from scripted import Scripted, calls, says, shown


@tool(approval_mode="always_require")
def weather() -> str:
    """Return the weather."""
    return "sunny"


async def main() -> None:
    inner = Scripted(calls("weather"), says("sunny"))
    helper = Agent(inner, name="helper", tools=[weather])
    model = Scripted(calls("helper", task="the weather"), says("done"))
    response = await Agent(model, tools=[helper.as_tool()]).run("hi")
    print("requests:", response.user_input_requests, "answer:", response.text)
    print("the outer model receives", shown(model.requests[1][-1:]))
    print("model calls of the helper:", len(inner.requests))

    direct = Agent(Scripted(calls("weather")), name="helper", tools=[weather])
    print("without an outer agent:", [one.type for one in (await direct.run("hi")).user_input_requests])


asyncio.run(main())

# Output:
# requests: [] answer: done
# the outer model receives [('tool', 'Error: Function failed.')]
# model calls of the helper: 1
# without an outer agent: ['function_approval_request']
