"""A session has results in the order in which they came; in a request, a later result of a call replaces its first."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool

from scripted import Scripted, call, confirm, shown


def pay() -> str:
    return "paid"


def weather() -> str:
    return "sunny"


async def main() -> None:
    model = Scripted([call("pay"), call("weather")], "done")
    tools = [FunctionTool(pay, require_confirmation=True), weather]
    runner = InMemoryRunner(agent=LlmAgent(name="agent", model=model, tools=tools))
    await confirm(runner, await runner.run_debug("hi", quiet=True))
    user = {"user_id": "debug_user_id", "session_id": "debug_session_id"}
    session = await runner.session_service.get_session(app_name=runner.app_name, **user)
    results = [event.content for event in session.events if event.get_function_responses() and event.author != "user"]
    print("session:", *shown(results), sep="\n  ")
    print("request:", shown(model.requests[1].contents[2:]))


asyncio.run(main())

# Output:
# session:
#   user: pay -> {'error': 'This tool call requires confirmation, please approve or reject.'}
#   user: weather -> {'result': 'sunny'}
#   user: pay -> {'result': 'paid'}
# request: ["user: pay -> {'result': 'paid'}", "user: weather -> {'result': 'sunny'}"]
