"""The state of a callback or tool has no operation that deletes a key; a key can only be set to None."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted


def before_model(callback_context, llm_request):
    state = callback_context.state
    state["temp:user"] = "Ann"
    try:
        del state["temp:user"]
    except AttributeError as error:
        print("del:", type(error).__name__, error)
    print("pop:", hasattr(state, "pop"))
    state["temp:user"] = None
    print("set to None, the state has the key:", "temp:user" in state)


agent = LlmAgent(name="agent", model=Scripted("done"), before_model_callback=before_model)
asyncio.run(InMemoryRunner(agent).run_debug("hi", quiet=True))

# Output:
# del: AttributeError __delitem__
# pop: False
# set to None, the state has the key: True
