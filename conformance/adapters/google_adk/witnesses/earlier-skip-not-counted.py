"""A tool that skips the summarization ends the run, but not if another call of the answer waits for a confirmation."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from scripted import Scripted, call, shown


def weather(tool_context: ToolContext) -> str:
    tool_context.actions.skip_summarization = True
    return "sunny"


def pay() -> str:
    return "paid"


async def main() -> None:
    for confirmed in (False, True):
        print("with a confirmation" if confirmed else "without a confirmation")
        model = Scripted([call("weather"), call("pay")], "the model is called again")
        tools = [weather, FunctionTool(pay, require_confirmation=confirmed)]
        runner = InMemoryRunner(LlmAgent(name="agent", model=model, tools=tools))
        events = await runner.run_debug("hi", quiet=True)
        for asked in [one for event in events if event.long_running_tool_ids for one in event.get_function_calls()]:
            answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": True})
            message, ids = types.UserContent(types.Part(function_response=answer)), {"session_id": "debug_session_id"}
            events = [event async for event in runner.run_async(user_id="debug_user_id", **ids, new_message=message)]
        print(shown([events[-1].content]))


asyncio.run(main())

# Output:
# without a confirmation
# ["user: weather -> {'result': 'sunny'}", "user: pay -> {'result': 'paid'}"]
# with a confirmation
# ["model: 'the model is called again'"]
