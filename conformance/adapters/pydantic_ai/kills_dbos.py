"""An agent of Pydantic AI in a workflow of DBOS, whose steps DBOS keeps in a SQLite database."""

from __future__ import annotations

from typing import Any

import kill_points
from dbos import DBOS, DBOSClient, SetWorkflowID
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.durable_exec.dbos import DBOSDurability
from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy.exc import OperationalError

PATH = kill_points.STORE / "dbos.sqlite"
URL = f"sqlite:///{PATH}"


async def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model without a network."""
    parts = [part for message in messages for part in message.parts]
    calls = [(part.tool_call_id, part.tool_name) for part in parts if part.part_kind == "tool-call"]
    results = [(part.tool_call_id, str(part.content)) for part in parts if part.part_kind == "tool-return"]
    wanted = await kill_points.model_async(calls, results)
    return ModelResponse(
        [ToolCallPart(name, {}, tool_call_id=call) for call, name in wanted] or [TextPart(kill_points.FINAL)]
    )


agent = Agent(FunctionModel(scripted), name="agent", capabilities=[DBOSDurability()])


@agent.tool_plain
@DBOS.step()
async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


@agent.tool_plain
@DBOS.step()
async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


@DBOS.workflow()
async def turn(question: str) -> str:
    """One run of the agent."""
    return (await agent.run(question)).output


async def run() -> str:
    """Start the workflow, or wait for its recovery, which DBOS begins when it is launched."""
    kill_points.history("before", "pydantic-ai", await _messages() if PATH.exists() else [])
    DBOS(config={"name": "kills", "system_database_url": URL, "application_version": "1", "executor_id": "local"})
    DBOS.launch()
    if await DBOS.get_workflow_status_async("1") is None:
        with SetWorkflowID("1"):
            handle = await DBOS.start_workflow_async(turn, kill_points.ASKED)
    else:
        handle = await DBOS.retrieve_workflow_async("1")
    ended = str(await handle.get_result())
    kill_points.history("after", "pydantic-ai", await _messages())
    return ended


async def _messages() -> Any:
    """The question, and the results of the stored steps."""
    client = DBOSClient(system_database_url=URL)
    try:
        if not await client.list_workflows_async(workflow_ids=["1"]):
            return []
    except OperationalError:  # the database has no tables yet: DBOS makes them when it is launched
        return []
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(kill_points.ASKED)])]
    for step in await client.list_workflow_steps_async("1"):
        name, output = step["function_name"], step["output"]
        if isinstance(output, ModelResponse):
            messages.append(output)
        elif output in kill_points.DONE.values():
            messages.append(ModelRequest([ToolReturnPart(name, output, tool_call_id=f"{name.split('.')[-1]}-1")]))
    return ModelMessagesTypeAdapter.dump_python(messages, mode="json")


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run},
        ["pydantic-ai-slim", "dbos"],
        store="the SQLite database of DBOS",
        resume="`DBOS.launch()`, which recovers the workflow of the agent",
        know="A step is stored when it returns. The function of a tool is a step only if `@DBOS.step` says so.",
    )
