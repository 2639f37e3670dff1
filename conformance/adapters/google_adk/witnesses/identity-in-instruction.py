"""Each request has a sentence about the agent in its system instruction, also if the agent has no instruction."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


def request(agent: LlmAgent) -> None:
    asyncio.run(InMemoryRunner(agent=agent).run_debug("hi", quiet=True))
    print(repr(agent.model.requests[0].config.system_instruction))


request(LlmAgent(name="agent", model=Scripted("done")))
request(LlmAgent(name="agent", model=Scripted("done"), instruction="Be brief."))
request(LlmAgent(name="agent", model=Scripted("done"), instruction="Be brief.", description="knows the weather"))
try:
    request(LlmAgent(name="agent", model=Scripted("done"), mode="single_turn"))
except ValueError as error:
    print("mode single_turn:", error)

# Output:
# 'You are an agent. Your internal name is "agent".'
# 'Be brief.\n\nYou are an agent. Your internal name is "agent".'
# 'Be brief.\n\nYou are an agent. Your internal name is "agent". The description about you is "knows the weather".'
# mode single_turn: LlmAgent as root agent must have mode='chat' or 'task', but got mode='single_turn'.
