"""An abort signal cuts off the call in progress at once: a caller cannot name a place at which the run is to stop."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from scripted import Scripted, call


async def main() -> None:
    abort = asyncio.Event()

    async def weather() -> str:
        abort.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            print("the tool is cancelled")
            raise

    agent = LlmAgent(name="agent", model=Scripted([call("weather")]), tools=[weather])
    runner = InMemoryRunner(agent, app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    async for event in runner.run_async(
        user_id="user", session_id=session.id, new_message=types.UserContent("hi"), abort_signal=abort
    ):
        answers = [one.response for one in event.get_function_responses()]
        print(event.author, event.error_code, event.error_message, answers)


asyncio.run(main())

# Output:
# agent None None []
# the tool is cancelled
# agent INVOCATION_ABORTED Invocation was aborted by client. [{'error': 'Invocation was aborted by client.'}]
