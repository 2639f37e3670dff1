"""A rejected call has one fixed result, whatever the payload of the confirmation says."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from scripted import Scripted, call, shown


def pay() -> str:
    return "paid"


async def main() -> None:
    model = Scripted([call("pay")], "done")
    agent = LlmAgent(name="agent", model=model, tools=[FunctionTool(pay, require_confirmation=True)])
    runner = InMemoryRunner(agent)
    events = await runner.run_debug("hi", quiet=True)
    asked = next(one for event in events for one in event.get_function_calls() if one.name != "pay")
    answer = {"confirmed": False, "payload": {"reason": "not today"}}
    response = types.FunctionResponse(id=asked.id, name=asked.name, response=answer)
    user = {"user_id": "debug_user_id", "session_id": "debug_session_id"}
    message = types.UserContent(types.Part(function_response=response))
    async for _ in runner.run_async(**user, new_message=message):
        pass
    print("the model receives", shown(model.requests[1].contents[-1:]))


asyncio.run(main())

# Output:
# the model receives ["user: pay -> {'error': 'This tool call is rejected.'}"]
