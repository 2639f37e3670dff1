"""A tool result that ends the run is not stored under the output key, which holds texts of answers only."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from scripted import Scripted, call, shown


def weather(tool_context: ToolContext) -> str:
    tool_context.actions.skip_summarization = True
    return "sunny"


async def main() -> None:
    for answer in ([call("weather")], [types.Part(text="I look."), call("weather")]):
        agent = LlmAgent(name="agent", model=Scripted(answer), tools=[weather], output_key="answer")
        runner = InMemoryRunner(agent, app_name="app")
        events = await runner.run_debug("hi", quiet=True)
        print("final response:", shown(event.content for event in events if event.is_final_response()))
        session = await runner.session_service.get_session(
            app_name="app", user_id="debug_user_id", session_id="debug_session_id"
        )
        print(session.state)


asyncio.run(main())

# Output:
# final response: ["user: weather -> {'result': 'sunny'}"]
# {}
# final response: ["user: weather -> {'result': 'sunny'}"]
# {'answer': 'I look.'}
