"""An agent tool runs its agent with the max_llm_calls of the outer run, and counts the calls on their own."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool

from scripted import Scripted, call


def weather() -> str:
    return "sunny"


async def ask(limit: int) -> None:
    inner = Scripted([call("weather")], [call("weather")], "helped")
    outer = Scripted([call("helper", request="help")], "done")
    helper = LlmAgent(name="helper", model=inner, tools=[weather])
    runner = InMemoryRunner(agent=LlmAgent(name="agent", model=outer, tools=[AgentTool(helper)]))
    try:
        events = await runner.run_debug("hi", quiet=True, run_config=RunConfig(max_llm_calls=limit))
        print("limit", limit, events[-1].content.parts[0].text)
    except LlmCallsLimitExceededError as error:
        print("limit", limit, type(error).__name__)
    print("calls of the outer model:", len(outer.requests), "of the inner model:", len(inner.requests))


asyncio.run(ask(2))
asyncio.run(ask(3))

# Output:
# limit 2 LlmCallsLimitExceededError
# calls of the outer model: 1 of the inner model: 2
# limit 3 done
# calls of the outer model: 2 of the inner model: 3
