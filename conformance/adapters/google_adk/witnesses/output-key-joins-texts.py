"""The output key holds the texts of all answers of a run together, also if the run fails before its last answer."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from scripted import Scripted, call


def weather() -> str:
    return "sunny"


async def main() -> None:
    for last in ("It is sunny.", RuntimeError("boom")):
        model = Scripted([types.Part(text="I look."), call("weather")], last)
        runner = InMemoryRunner(
            LlmAgent(name="agent", model=model, tools=[weather], output_key="answer"), app_name="app"
        )
        try:
            await runner.run_debug("hi", quiet=True)
        except RuntimeError as error:
            print("the run fails:", error)
        session = await runner.session_service.get_session(
            app_name="app", user_id="debug_user_id", session_id="debug_session_id"
        )
        print(session.state)


asyncio.run(main())

# Output:
# {'answer': 'I look.It is sunny.'}
# the run fails: boom
# {'answer': 'I look.'}
