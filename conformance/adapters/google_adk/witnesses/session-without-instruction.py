"""A before-model callback receives the instruction; the session that an after-agent callback receives has none."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted, shown


def before(callback_context, llm_request):
    print("before-model callback:", llm_request.config.system_instruction.splitlines()[0])


def after(callback_context):
    print("after-agent callback:", shown(event.content for event in callback_context.session.events))


agent = LlmAgent(
    name="agent",
    model=Scripted("done"),
    instruction="Be brief.",
    before_model_callback=before,
    after_agent_callback=after,
)
asyncio.run(InMemoryRunner(agent=agent).run_debug("hi", quiet=True))

# Output:
# before-model callback: Be brief.
# after-agent callback: ["user: 'hi'", "model: 'done'"]
