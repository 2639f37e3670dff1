"""An agent as a tool has the context of the outer run: both see a value that either of them sets."""

from agents import Agent, RunHooks, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


class Hooks(RunHooks):
    def __init__(self, user: str) -> None:
        self.user = user

    async def on_agent_start(self, context, agent) -> None:
        print(agent.name, "starts with", context.context)
        context.context["user"] = self.user


helper = Agent("helper", model=ScriptedModel([[assistant_message("ok")]])).as_tool("helper", "", hooks=Hooks("Bob"))
model = ScriptedModel([[function_call("helper", {"input": "?"}, call_id="1")], [assistant_message("done")]])
context = {}
Runner.run_sync(Agent("agent", model=model, tools=[helper]), "hi", context=context, hooks=Hooks("Ann"))

print("after the run:", context)

# Output:
# agent starts with {}
# helper starts with {'user': 'Ann'}
# after the run: {'user': 'Bob'}
