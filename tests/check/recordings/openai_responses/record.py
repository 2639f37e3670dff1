"""Records items of sessions of openai-agents 0.24.0, and requests that openai 3.57.0 sends."""

import asyncio
import json
from pathlib import Path

from agents import Agent, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.models.openai_responses import OpenAIResponsesModel
from openai import AsyncOpenAI, OpenAI

from ..given_answers import GivenAnswers, write

HERE = Path(__file__).parent


def thought(number: int) -> dict:
    return {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "eA=="}


def text(number: int, said: str) -> dict:
    content = [{"type": "output_text", "text": said, "annotations": []}]
    return {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": content}


def call(number: int, name: str, **arguments: str) -> dict:
    return {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name,
            "arguments": json.dumps(arguments), "status": "completed"}  # fmt: skip


def response(*output: dict) -> dict:
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5", "output": [*output], "tools": [],
            "parallel_tool_calls": True, "tool_choice": "auto", "status": "completed"}  # fmt: skip


def streamed(*output: dict) -> list[dict]:
    return [{"type": "response.completed", "sequence_number": 1, "response": response(*output)}]


@function_tool
def read_file(path: str) -> str:
    """Read a file."""
    return {"a.txt": "one", "b.txt": "two"}[path]


@function_tool(needs_approval=True)
def delete_file(path: str) -> str:
    """Delete a file."""
    return f"Deleted {path}."


async def main() -> None:
    set_tracing_disabled(True)
    server = GivenAnswers([])
    model = OpenAIResponsesModel("gpt-5", AsyncOpenAI(base_url=server.url, api_key="none"))
    writer = Agent("Writer", instructions="Be brief.", model=model, tools=[delete_file])
    agent = Agent("Reader", instructions="Be brief.", model=model, tools=[read_file, delete_file], handoffs=[writer])

    session = SQLiteSession("1")
    three = [call(number, "read_file", path=path) for number, path in enumerate(("a.txt", "missing", "b.txt"), 1)]
    server.script += [response(thought(1), text(1, "I read."), *three), response(thought(2), text(2, "One, two."))]
    server.script += [response(thought(3), text(3, "Nothing."))]
    await Runner.run(agent, "Read all.", session=session)
    await Runner.run(agent, "What else?", session=session)
    write(HERE / "session_of_two_runs.jsonl", *await session.get_items())

    session = SQLiteSession("2")
    server.script += [response(thought(1), call(4, "delete_file", path="a.txt"), call(5, "delete_file", path="b.txt"))]
    server.script += [response(text(4, "Only a.txt."))]
    waiting = await Runner.run(agent, "Delete all.", session=session)
    state = waiting.to_state()
    state.approve(waiting.interruptions[0])
    state.reject(waiting.interruptions[1])
    await Runner.run(agent, state, session=session)
    write(HERE / "session_with_approvals.jsonl", *await session.get_items())

    server.script += [streamed(call(6, "transfer_to_writer")), streamed(text(5, "I am the writer."))]
    result = Runner.run_streamed(agent, "Write.")
    async for _ in result.stream_events():
        pass
    write(HERE / "streamed_handoff.json", result.to_input_list())

    approval = {"id": "mcpr_1", "server_label": "s", "name": "ask", "arguments": "{}"}
    action = {"type": "search", "query": "a"}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    patch = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_7", "name": "patch", "input": "+one"}
    server.script += [response(thought(6), search, {"type": "mcp_approval_request", **approval}),
                      response({"type": "mcp_call", **approval, "output": "Yes.", "id": "mcp_1"}, thought(7), patch),
                      response({"type": "compaction", "id": "cmp_1", "encrypted_content": "eA=="}, text(8, "Done.")),
                      response(text(9, "Nothing."))]  # fmt: skip
    client = OpenAI(base_url=server.url, api_key="none").responses
    items: list = [{"role": "user", "content": [{"type": "input_text", "text": "Search, ask and write."}]}]
    for given in (
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        {"type": "custom_tool_call_output", "call_id": "call_7", "output": "Written."},
        {"role": "user", "content": "What else?"},
    ):
        items += [*client.create(model="gpt-5", input=items).to_dict()["output"], given]
    client.create(model="gpt-5", instructions="Be brief.", input=items)
    write(HERE / "request.json", server.requests[-1])


asyncio.run(main())
