"""Doubled braces around a name are a placeholder, and other doubled braces stay doubled."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


def user(callback_context):
    callback_context.state["user"] = "Ann"


async def send(instruction: str) -> None:
    model = Scripted("done")
    agent = LlmAgent(name="agent", model=model, instruction=instruction, before_agent_callback=user)
    try:
        await InMemoryRunner(agent=agent).run_debug("hi", quiet=True)
        print(instruction, "=>", model.requests[0].config.system_instruction.partition("\n")[0])
    except KeyError as error:
        print(instruction, "=>", repr(error))


for instruction in ("Help {user}.", "Help {{user}}.", "Answer as {{a: [1]}}.", "End with }}.", "Answer as {{x}}."):
    asyncio.run(send(instruction))

# Output:
# Help {user}. => Help Ann.
# Help {{user}}. => Help Ann.
# Answer as {{a: [1]}}. => Answer as {{a: [1]}}.
# End with }}. => End with }}.
# Answer as {{x}}. => KeyError("Context variable not found: `x` in agent 'agent'.")
