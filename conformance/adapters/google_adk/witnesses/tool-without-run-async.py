"""An agent accepts a tool without run_async: the model receives the tool, and the run fails when the model calls it."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.genai.types import FunctionDeclaration

from scripted import Scripted, call


class Weather(BaseTool):
    def _get_declaration(self) -> FunctionDeclaration:
        return FunctionDeclaration(name=self.name, description=self.description)


async def ask(model: Scripted) -> None:
    agent = LlmAgent(name="agent", model=model, tools=[Weather(name="weather", description="The weather.")])
    try:
        events = await InMemoryRunner(agent=agent).run_debug("hi", quiet=True)
        print("the last event:", events[-1].content.parts[0].text)
    except NotImplementedError as error:
        print("NotImplementedError:", str(error)[-18:])
    print("the model received", list(model.requests[0].tools_dict), "and was called", len(model.requests), "time")


asyncio.run(ask(Scripted("no call")))
asyncio.run(ask(Scripted([call("weather")], "done")))

# Output:
# the last event: no call
# the model received ['weather'] and was called 1 time
# NotImplementedError: is not implemented
# the model received ['weather'] and was called 1 time
