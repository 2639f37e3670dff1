"""An agent tool returns an empty text if the sub-agent's final response is a tool result."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.tool_context import ToolContext

from scripted import Scripted, call, shown


def weather(tool_context: ToolContext) -> str:
    tool_context.actions.skip_summarization = True
    return "sunny"


async def main() -> None:
    helper = LlmAgent(name="helper", model=Scripted([call("weather")], [call("weather")]), tools=[weather])
    events = await InMemoryRunner(helper).run_debug("hi", quiet=True)
    print("the agent alone:", shown(event.content for event in events if event.is_final_response()))

    model = Scripted([call("helper", request="Help")], "done")
    agent = LlmAgent(name="agent", model=model, tools=[AgentTool(helper)])
    await InMemoryRunner(agent).run_debug("hi", quiet=True)
    print("as a tool:", shown(model.requests[1].contents[2:]))


asyncio.run(main())

# Output:
# the agent alone: ["user: weather -> {'result': 'sunny'}"]
# as a tool: ["user: helper -> {'result': ''}"]
