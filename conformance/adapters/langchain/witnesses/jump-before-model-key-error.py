"""A jump to the model from the first before-model hook is a KeyError, although the hook declares it."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_agent, before_model
from langchain_core.messages import AIMessage

from scripted import Scripted


def pilot(state, runtime):
    return {"jump_to": "model"}


for hook in before_agent, before_model:
    agent = create_agent(Scripted(AIMessage("done")), middleware=[hook(pilot, can_jump_to=["model"])])
    try:
        print(hook.__name__, agent.invoke({"messages": "hi"})["messages"][-1].text)
    except Exception as error:
        print(hook.__name__, repr(error))

# Output:
# before_agent done
# before_model KeyError('pilot.before_model')
