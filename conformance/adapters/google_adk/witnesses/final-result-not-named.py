"""If one of two tools skips the summarization, the final response has both results and does not say whose it is."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.tool_context import ToolContext

from scripted import Scripted, call, shown


def weather(tool_context: ToolContext) -> str:
    tool_context.actions.skip_summarization = True
    return "sunny"


def search() -> str:
    return "a result"


async def main() -> None:
    for calls in (["weather", "search"], ["search", "weather"]):
        agent = LlmAgent(name="agent", model=Scripted([call(name) for name in calls]), tools=[weather, search])
        (_, event) = await InMemoryRunner(agent).run_debug("hi", quiet=True)
        print(shown([event.content]), "skip_summarization:", event.actions.skip_summarization)


asyncio.run(main())

# Output:
# ["user: weather -> {'result': 'sunny'}", "user: search -> {'result': 'a result'}"] skip_summarization: True
# ["user: search -> {'result': 'a result'}", "user: weather -> {'result': 'sunny'}"] skip_summarization: True
