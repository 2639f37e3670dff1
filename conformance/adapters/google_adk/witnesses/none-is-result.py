"""A tool that returns None has the result None, and the run continues."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted, call, shown


def weather() -> None:
    pass


agent = LlmAgent(name="agent", model=Scripted([call("weather")], "done"), tools=[weather])
events = asyncio.run(InMemoryRunner(agent=agent).run_debug("hi", quiet=True))

print(*shown(event.content for event in events), sep="\n")

# Output:
# model: weather()
# user: weather -> {'result': None}
# model: 'done'
