"""A state value with the prefix "temp:" is not stored with the session: a run resumed after a confirmation has none."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from scripted import Scripted, call


def look(tool_context: ToolContext) -> str:
    tool_context.state["temp:user"] = tool_context.state["user"] = "Ann"
    return "looked"


def pay(tool_context: ToolContext) -> str:
    print("pay finds", [tool_context.state.get(key) for key in ("user", "temp:user")])
    return "paid"


async def main() -> None:
    for confirmed in (False, True):
        print("with a confirmation" if confirmed else "without a confirmation")
        model = Scripted([call("look")], [call("pay")], "done")
        tools = [look, FunctionTool(pay, require_confirmation=confirmed)]
        runner = InMemoryRunner(LlmAgent(name="agent", model=model, tools=tools))
        events = await runner.run_debug("hi", quiet=True)
        for asked in [one for event in events if event.long_running_tool_ids for one in event.get_function_calls()]:
            answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": True})
            message = types.UserContent(types.Part(function_response=answer))
            ids = {"user_id": "debug_user_id", "session_id": "debug_session_id"}
            async for _ in runner.run_async(**ids, new_message=message):
                pass


asyncio.run(main())

# Output:
# without a confirmation
# pay finds ['Ann', 'Ann']
# with a confirmation
# pay finds ['Ann', None]
