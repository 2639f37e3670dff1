"""`after_run` is called for a run that waits for approval, and again for the run that continues it."""

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

answers = iter([ModelResponse([ToolCallPart("pay")]), ModelResponse([TextPart("done")])])
model, hooks = FunctionModel(lambda messages, info: next(answers)), Hooks()
agent = Agent(model, output_type=[str, DeferredToolRequests], capabilities=[hooks])


@hooks.on.after_run
async def report(ctx, *, result):
    print("after_run:", type(result.output).__name__)
    return result


@agent.tool_plain(requires_approval=True)
def pay() -> str:
    return "paid"


first = agent.run_sync("hi")
results = DeferredToolResults(approvals={call.tool_call_id: True for call in first.output.approvals})
agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results)

# Output:
# after_run: DeferredToolRequests
# after_run: str
