"""A model that gives its answers in order, and keeps the messages and the tools of its calls."""

from typing import Any

from strands.models import Model


class Scripted(Model):
    """An answer is a text, or a list of content blocks. None: the stream has no events. An exception is raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.requests, self.tools = list(answers), [], []

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any: ...

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **kwargs: Any) -> Any:
        self.requests.append(messages)
        self.tools = tool_specs
        answer = self.answers[len(self.requests) - 1]
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            return
        blocks = [{"text": answer}] if isinstance(answer, str) else answer
        yield {"messageStart": {"role": "assistant"}}
        for block in blocks:
            if "toolUse" in block:
                yield {"contentBlockStart": {"start": block}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": block["input"]}}}}
            else:
                yield {"contentBlockDelta": {"delta": block}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if any("toolUse" in one for one in blocks) else "end_turn"}}


def call(name: str, call_id: str = "", arguments: str = "{}") -> dict[str, Any]:
    """A tool call; its id is the name of the tool, unless there is another."""
    return {"toolUse": {"toolUseId": call_id or name, "name": name}, "input": arguments}


def shown(messages: Any) -> list[str]:
    """The blocks of messages, each with the role, and the text, the call or the result."""
    return [f"{one['role']}: {_block(block)}" for one in messages for block in one["content"]]


def _block(block: Any) -> str:
    if "toolUse" in block:
        return f"{block['toolUse']['name']}()"
    if "toolResult" in block:
        return f"{block['toolResult']['toolUseId']} -> {block['toolResult']['content'][0]['text']!r}"
    return repr(block["text"])
