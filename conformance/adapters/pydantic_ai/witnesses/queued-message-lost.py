"""A message that is queued during a run that then fails is not among the messages of the run."""

from pydantic_ai import Agent, ModelResponse, RunContext, ToolCallPart, capture_run_messages
from pydantic_ai.models.function import FunctionModel

agent = Agent(FunctionModel(lambda messages, info: ModelResponse([ToolCallPart("look"), ToolCallPart("fail")])))


@agent.tool(sequential=True)
def look(ctx: RunContext) -> str:
    ctx.enqueue("Hurry.")
    return "ok"


@agent.tool_plain(sequential=True)
def fail() -> str:
    raise RuntimeError("busy")


with capture_run_messages() as messages:
    try:
        agent.run_sync("Hello.")
    except RuntimeError as error:
        print("the run fails:", error)

print("messages:", [part.part_kind for message in messages for part in message.parts])
print("Hurry." in str(messages))

# Output:
# the run fails: busy
# messages: ['user-prompt', 'tool-call', 'tool-call', 'tool-return']
# False
