"""Records messages with anthropic 2.14.0: what its tool runner sends and keeps, and a loop without it."""

from pathlib import Path

from anthropic import Anthropic, beta_tool

from ..given_answers import GivenAnswers, write

HERE = Path(__file__).parent
THOUGHT = {"type": "thinking", "thinking": "I look.", "signature": "c2lnbmVk"}
HIDDEN = {"type": "redacted_thinking", "data": "aGlkZGVu"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a.txt"}}
PAGE = {"type": "web_search_result", "url": "https://a.example", "title": "A", "encrypted_content": "eA=="}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [PAGE]}
ASKED = {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "ask", "server_name": "s", "input": {}}
REPORTED = {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": []}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}


def text(said: str) -> dict:
    return {"type": "text", "text": said}


def call(number: int, path: str) -> dict:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "read_file", "input": {"path": path}}


def answer(*blocks: dict, stop: str = "end_turn") -> dict:
    return {"type": "message", "id": "msg_1", "role": "assistant", "model": "claude", "content": [*blocks],
            "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip


def streamed(*blocks: dict) -> list[dict]:
    events: list[dict] = [{"type": "message_start", "message": answer()}]
    for index, block in enumerate(blocks):
        events += [{"type": "content_block_start", "index": index, "content_block": block}]
        events += [{"type": "content_block_stop", "index": index}]
    return [*events, {"type": "message_stop"}]


@beta_tool
def read_file(path: str) -> str:
    """Read a file."""
    return {"a.txt": "one", "b.txt": "two"}[path]


def main() -> None:
    fixed = {"model": "claude", "max_tokens": 99}
    asked = [{"role": "user", "content": "Read all."}]
    whole = {**fixed, "system": "Be brief.", "tools": [read_file], "messages": asked}
    three = [call(1, "a.txt"), call(2, "missing"), call(3, "b.txt")]
    server = GivenAnswers([])
    client = Anthropic(base_url=server.url, api_key="none").beta.messages

    server.script += [answer(THOUGHT, HIDDEN, text("I read."), *three, stop="tool_use"), answer(text("One, two."))]
    client.tool_runner(**whole, thread=False).until_done()
    write(HERE / "parallel_calls_request.json", server.requests[-1])

    summary = {"type": "compaction", "content": "The user wants the files.", "encrypted_content": "eA=="}
    server.script += [answer(call(1, "a.txt"), stop="tool_use"), answer(summary, stop="compaction"),
                      answer(call(4, "b.txt"), stop="tool_use"), answer(text("Two."))]  # fmt: skip
    runner = (thread := client.thread(**whole)).tool_runner()
    for number, _ in enumerate(runner):
        if number == 0:
            runner.compact_before_next_turn()
    write(HERE / "compaction.json", thread.messages)
    write(HERE / "continued_request.json", server.requests[-1])

    server.script += [answer(text("I search."), SEARCH, stop="pause_turn"), answer(FOUND, ASKED, REPORTED, text("A.")),
                      streamed(THOUGHT, call(5, "a.txt")), streamed(THOUGHT, text("One."))]  # fmt: skip
    messages: list[dict] = []
    result = {"type": "tool_result", "tool_use_id": "toolu_5", "content": "one"}
    for content in ("What is in it?", None, [IMAGE], [result]):
        messages += [{"role": "user", "content": content}] if content else []
        if isinstance(content, list):
            with client.stream(**fixed, messages=messages) as stream:
                said = stream.get_final_message()
        else:
            said = client.create(**fixed, messages=messages)
        messages.append({"role": "assistant", "content": said.content})
    write(HERE / "server_tools_and_streamed.jsonl", *messages)


main()
