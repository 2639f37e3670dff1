"""A jump to the model skips the count of a model call limit that is earlier in the list: the limit is not reached."""

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, after_model, before_model
from langchain_core.messages import AIMessage

from scripted import Scripted


@before_model
def watch(state, runtime):
    calls.append("watch")


@after_model(can_jump_to=["model"])
def critic(state, runtime):
    return {"jump_to": "model"} if len(model.calls) < 5 else None


limit = ModelCallLimitMiddleware(run_limit=3, exit_behavior="error")
for middleware in [limit, watch, critic], [watch, critic, limit]:
    calls = []
    model = Scripted(*[AIMessage("draft")] * 5)
    try:
        create_agent(model, middleware=middleware).invoke({"messages": "hi"})
        print("no error,", end=" ")
    except Exception as error:
        print(type(error).__name__, end=", ")
    print("model calls:", len(model.calls), "calls of watch:", len(calls))

# Output:
# no error, model calls: 5 calls of watch: 5
# ModelCallLimitExceededError, model calls: 3 calls of watch: 4
