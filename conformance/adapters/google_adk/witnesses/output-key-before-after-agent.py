"""The output key is stored with the event of the answer, also if an after-agent callback then fails the run."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


def after(callback_context):
    raise RuntimeError("too late")


async def main() -> None:
    agent = LlmAgent(name="agent", model=Scripted("done"), output_key="answer", after_agent_callback=after)
    runner = InMemoryRunner(agent, app_name="app")
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
# the run fails: too late
# {'answer': 'done'}
