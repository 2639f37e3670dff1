"""An after-model callback receives and returns an answer: the next request has all other messages and tools again."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from scripted import Scripted, call, shown


def weather() -> str:
    return "sunny"


def after(callback_context, llm_response):
    print("the callback receives", shown([llm_response.content]))
    return LlmResponse(content=types.ModelContent(["changed", *llm_response.content.parts]))


model = Scripted([call("weather")], "done")
agent = LlmAgent(name="agent", model=model, tools=[weather], after_model_callback=after)
asyncio.run(InMemoryRunner(agent=agent).run_debug("hi", quiet=True))

print("request 2:", *shown(model.requests[1].contents), sep="\n  ")
print("its tools:", list(model.requests[1].tools_dict))

# Output:
# the callback receives ['model: weather()']
# the callback receives ["model: 'done'"]
# request 2:
#   user: 'hi'
#   model: 'changed'
#   model: weather()
#   user: weather -> {'result': 'sunny'}
# its tools: ['weather']
