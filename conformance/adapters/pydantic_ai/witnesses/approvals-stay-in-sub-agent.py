"""A tool of another agent waits for approval: the outer run does not wait, and has the requests as a result."""

from pydantic_ai import Agent, DeferredToolRequests, RunContext
from pydantic_ai.models.test import TestModel

helper = Agent(TestModel(), output_type=[str, DeferredToolRequests])
agent = Agent(TestModel(custom_output_text="done"), output_type=[str, DeferredToolRequests])


@helper.tool_plain(requires_approval=True)
def delete() -> str:
    return "deleted"


@agent.tool
async def ask(ctx: RunContext) -> str | DeferredToolRequests:
    return (await helper.run("help", usage=ctx.usage)).output


result = agent.run_sync("hi")
print("result of the tool:", type(result.all_messages()[2].parts[0].content).__name__)
print("output of the run:", result.output)

# Output:
# result of the tool: DeferredToolRequests
# output of the run: done
