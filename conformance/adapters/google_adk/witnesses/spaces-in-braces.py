"""Spaces around a name in braces are removed before the name is looked up in the state."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


def user(callback_context):
    callback_context.state["user"] = "Ann"


async def send(instruction: str) -> None:
    model = Scripted("done")
    agent = LlmAgent(name="agent", model=model, instruction=instruction, before_agent_callback=user)
    await InMemoryRunner(agent=agent).run_debug("hi", quiet=True)
    print(instruction, "=>", model.requests[0].config.system_instruction.partition("\n")[0])


for instruction in ("Help {user}.", "Help { user}.", "Help {user }."):
    asyncio.run(send(instruction))

# Output:
# Help {user}. => Help Ann.
# Help { user}. => Help Ann.
# Help {user }. => Help Ann.
