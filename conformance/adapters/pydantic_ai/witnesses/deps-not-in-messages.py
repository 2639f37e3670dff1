"""A run that continues from messages has the dependencies of its caller, and not the values of the run before."""

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, RunContext
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

answers = iter([ModelResponse([ToolCallPart("pay")]), ModelResponse([TextPart("done")])])
agent = Agent(
    FunctionModel(lambda messages, info: next(answers)),
    deps_type=dict[str, str],
    output_type=[str, DeferredToolRequests],
)


@agent.instructions
def remember(ctx: RunContext[dict[str, str]]) -> str:
    print("before a model call:", ctx.deps)
    ctx.deps["user"] = "Ann"
    return ""


@agent.tool_plain(requires_approval=True)
def pay() -> str:
    return "paid"


first = agent.run_sync("hi", deps={})
results = DeferredToolResults(approvals={call.tool_call_id: True for call in first.output.approvals})
agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results, deps={})

# Output:
# before a model call: {}
# before a model call: {}
