"""A complete answer with an empty text is an event with the error code MODEL_RETURNED_NO_CONTENT."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


async def ask(answer: str) -> None:
    agent = LlmAgent(name="agent", model=Scripted(answer))
    (event,) = await InMemoryRunner(agent=agent).run_debug("hi", quiet=True)
    print(f"answer {answer!r}: text {event.content.parts[0].text!r}, error code {event.error_code}")


asyncio.run(ask("done"))
asyncio.run(ask(""))

# Output:
# answer 'done': text 'done', error code None
# answer '': text '', error code MODEL_RETURNED_NO_CONTENT
