"""A tool call that an abort cuts off gets an error as its result, and is not repeated when the session continues."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from scripted import Scripted, call, shown


async def main() -> None:
    abort = asyncio.Event()

    async def pay() -> str:
        print("the tool is called")
        abort.set()
        await asyncio.sleep(60)

    model = Scripted([call("pay")], "done")
    runner = InMemoryRunner(LlmAgent(name="agent", model=model, tools=[pay]), app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    for text, signal in (("hi", abort), ("go on", None)):
        message = types.UserContent(text)
        async for event in runner.run_async(
            user_id="user", session_id=session.id, new_message=message, abort_signal=signal
        ):
            print(shown([event.content]), event.error_code)


asyncio.run(main())

# Output:
# ['model: pay()'] None
# the tool is called
# ["user: pay -> {'error': 'Invocation was aborted by client.'}"] INVOCATION_ABORTED
# ["model: 'done'"] None
