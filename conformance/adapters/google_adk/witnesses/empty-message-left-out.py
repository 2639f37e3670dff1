"""A message without text is in the session, and a request to the model leaves it out."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted, shown

model = Scripted("one", "two", "three")
runner = InMemoryRunner(agent=LlmAgent(name="agent", model=model))
events = asyncio.run(runner.run_debug(["first", "", "third"], quiet=True))

print("answers:", shown(event.content for event in events))
print("request 3:", shown(model.requests[2].contents))

# Output:
# answers: ["model: 'one'", "model: 'two'", "model: 'three'"]
# request 3: ["user: 'first'", "model: 'one'", "model: 'two'", "user: 'third'"]
