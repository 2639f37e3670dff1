"""A run resumed after a confirmation counts its model calls from zero, although it has the same invocation id."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from scripted import Scripted, call


def look() -> str:
    return "looked"


def pay() -> str:
    return "paid"


async def main() -> None:
    for first in ("look", "pay"):
        model, limit = Scripted([call(first)], [call("look")], "done"), RunConfig(max_llm_calls=2)
        agent = LlmAgent(name="agent", model=model, tools=[look, FunctionTool(pay, require_confirmation=True)])
        runner = InMemoryRunner(agent)
        try:
            events = await runner.run_debug("hi", quiet=True, run_config=limit)
            (asked,) = events[1].get_function_calls()
            answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": True})
            message, ids = types.UserContent(types.Part(function_response=answer)), {"session_id": "debug_session_id"}
            async for event in runner.run_async(user_id="debug_user_id", **ids, new_message=message, run_config=limit):
                events.append(event)
            print("invocations:", len({event.invocation_id for event in events}))
        except Exception as error:
            print(type(error).__name__)
        print("model calls:", len(model.requests))


asyncio.run(main())

# Output:
# LlmCallsLimitExceededError
# model calls: 2
# invocations: 1
# model calls: 3
