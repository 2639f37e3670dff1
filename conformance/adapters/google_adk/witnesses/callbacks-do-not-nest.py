"""Callbacks before and after a tool have the same order, and the first one that returns a result ends the chain."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted, call, shown


def weather() -> str:
    return "sunny"


def before(name: str):
    return lambda tool, args, tool_context: print("before:", name)


def after(name: str, changes: bool):
    def callback(tool, args, tool_context, tool_response):
        print("after:", name)
        return {"result": f"{tool_response}, {name}"} if changes else None

    return callback


async def main() -> None:
    for changes in (False, True):
        model = Scripted([call("weather")], "done")
        agent = LlmAgent(name="agent", model=model, tools=[weather])
        agent.before_tool_callback = [before("outer"), before("inner")]
        agent.after_tool_callback = [after("outer", changes), after("inner", changes)]
        await InMemoryRunner(agent).run_debug("hi", quiet=True)
        print(shown(model.requests[1].contents)[2])


asyncio.run(main())

# Output:
# before: outer
# before: inner
# after: outer
# after: inner
# user: weather -> {'result': 'sunny'}
# before: outer
# before: inner
# after: outer
# user: weather -> {'result': 'sunny, outer'}
