"""The stream of a run has no event of an agent that one of its tools runs."""

import asyncio

from llama_index.core.agent.workflow import AgentOutput, FunctionAgent

from scripted import calls, model

helper = FunctionAgent(name="helper", llm=model("In Rome."), streaming=False)


async def ask(request: str) -> str:
    """Ask the helper."""
    return str(await helper.run(user_msg=request))


async def main() -> None:
    agent = FunctionAgent(name="outer", tools=[ask], llm=model(calls("ask", request="Where?"), "done"), streaming=False)
    handler = agent.run(user_msg="Go.")
    events = [event async for event in handler.stream_events()]
    print("the agents of the answers:", [one.current_agent_name for one in events if isinstance(one, AgentOutput)])


asyncio.run(main())

# Output:
# the agents of the answers: ['outer', 'outer']
