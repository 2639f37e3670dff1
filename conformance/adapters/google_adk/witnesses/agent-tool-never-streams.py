"""In a streaming run, an agent tool runs the sub-agent without streaming; a sub-agent in single-turn mode streams."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool

from scripted import Scripted, call


def after_model(callback_context, llm_response):
    print("-", callback_context.agent_name, "streams a chunk" if llm_response.partial else "answers")


async def main() -> None:
    config = RunConfig(streaming_mode=StreamingMode.SSE)
    for mode in (None, "single_turn"):
        print(mode or "agent tool")
        helper = LlmAgent(name="helper", model=Scripted("helped"), mode=mode, after_model_callback=after_model)
        inside = {"sub_agents": [helper]} if mode else {"tools": [AgentTool(helper)]}
        model = Scripted([call("helper", request="Help")], "done")
        agent = LlmAgent(name="agent", model=model, after_model_callback=after_model, **inside)
        await InMemoryRunner(agent).run_debug("hi", quiet=True, run_config=config)


asyncio.run(main())

# Output:
# agent tool
# - agent streams a chunk
# - agent answers
# - helper answers
# - agent streams a chunk
# - agent answers
# single_turn
# - agent streams a chunk
# - agent answers
# - helper streams a chunk
# - helper answers
# - agent streams a chunk
# - agent answers
