"""Two calls of a restored run wait for their answers. The answer to the first one reaches both."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent
from workflows.context import PickleSerializer
from workflows.events import WorkflowIdleEvent

from scripted import calls, model

received: set[str] = set()


def asking(name: str) -> FunctionTool:
    async def ask(ctx: Context) -> str:
        asked = InputRequiredEvent(prefix=name)
        answer = await ctx.wait_for_event(HumanResponseEvent, asked, waiter_id=name, requirements={"to": name})
        received.add(f"{name} received the answer to {answer.to}")
        return "asked"

    return FunctionTool.from_defaults(ask, name, "Ask.")


async def main() -> None:
    tools = [asking("delete"), asking("list")]
    agent = FunctionAgent(tools=tools, llm=model(calls("delete", "list"), "done", "done"), streaming=False)
    handler = agent.run(user_msg="Go.")
    async for event in handler.stream_events(expose_internal=True):
        if isinstance(event, WorkflowIdleEvent):  # both wait
            break
    stored = handler.ctx.to_dict(PickleSerializer())
    await handler.cancel_run()
    restored = agent.run(ctx=Context.from_dict(agent, stored, PickleSerializer()))
    await restored.send_event(HumanResponseEvent(to="list", response="yes"))
    await restored
    print(*sorted(received), sep="\n")


asyncio.run(main())

# Output:
# delete received the answer to list
# list received the answer to list
