"""The agent of `tool.py` with a real model: any endpoint for chat completions that is compatible with OpenAI's.

Run it:

    export OPENAI_BASE_URL=http://localhost:8000/v1 MODEL=some-model OPENAI_API_KEY=some-key
    python examples/openai_compatible.py "How many kilometers are 26.2 miles?"
    python examples/openai_compatible.py --whole "How many kilometers are 26.2 miles?"

The answer is streamed; with `--whole`, the endpoint sends complete answers. A local endpoint may need no key.
The example needs httpx: `python -m pip install httpx`.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import httpx
import msgspec

from loopspec_reference import Agent, ErrorEvent, Json, Message, ModelRequest, StreamEvent, ToolCall
from printing import print_event, print_message
from tool import ConvertDistance

USAGE = "usage: openai_compatible.py [--whole] QUESTION"
TIMEOUT = httpx.Timeout(10, read=300)  # seconds; a model can take minutes before the first part of its answer


class ModelError(Exception):
    """The endpoint gave no usable answer. The text is one sentence."""


class Function(msgspec.Struct):
    """The name and the arguments of a tool call, or a piece of them."""

    name: str | None = None
    arguments: str | None = None


class Call(msgspec.Struct):
    """A tool call, or a piece of one: only the first piece has the id and the name."""

    function: Function
    id: str | None = None
    index: int | None = None


class Delta(msgspec.Struct):
    """The content of an answer, or a piece of it."""

    content: str | None = None
    tool_calls: list[Call] | None = None


class Choice(msgspec.Struct):
    """An answer. A streamed one has a `delta`, a whole one has a `message`."""

    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class Completion(msgspec.Struct):
    """The body of a response, or one event of a streamed response. The last events can have no choices."""

    choices: list[Choice] = []
    error: Json = None


class ToolCallPieces:
    """Joins the pieces of the tool calls of one streamed answer.

    A piece belongs to the call with its index. Some endpoints give parallel calls the same index or none: a new id
    starts a new call all the same.
    """

    def __init__(self) -> None:
        self._calls: list[tuple[str, list[Function]]] = []
        self._position: dict[int | None, int] = {}  # of the latest call with an index

    def add(self, piece: Call) -> None:
        """Add one piece."""
        at = self._position.get(piece.index)
        if at is None or (piece.id and piece.id != self._calls[at][0]):
            at = self._position[piece.index] = len(self._calls)
            self._calls.append((piece.id or "", []))
        self._calls[at][1].append(piece.function)

    def joined(self) -> list[ToolCall]:
        """Return the complete calls."""
        return [_tool_call(id_, functions) for id_, functions in self._calls]


class ChatCompletions:
    """A model at an endpoint for chat completions. Deferred tools and tool search are not sent."""

    def __init__(self, client: httpx.AsyncClient, model: str) -> None:
        self._client = client
        self._model = model

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the whole answer. Raises `ModelError`."""
        try:
            response = await self._client.post("chat/completions", json=self._body(request, stream=False))
        except httpx.HTTPError as error:
            raise _unreachable(error) from error
        _check_status(response)
        choice = _first_choice(response.content)
        if choice is None or choice.message is None:
            raise ModelError("The endpoint has sent an answer without a message")
        _check_complete(choice)
        calls = [_tool_call(call.id or "", [call.function]) for call in choice.message.tool_calls or ()]
        return Message.assistant(choice.message.content or "", calls)

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Yield the pieces of the text as they arrive, then the tool calls. Raises `ModelError`."""
        pieces, complete = ToolCallPieces(), False
        try:
            body = self._body(request, stream=True)
            async with self._client.stream("POST", "chat/completions", json=body) as response:
                if not response.is_success:
                    await response.aread()
                _check_status(response)
                async for data in _event_data(response.aiter_bytes()):
                    if data == b"[DONE]":
                        complete = True
                        break
                    choice = _first_choice(data)
                    if choice is None:
                        continue
                    _check_complete(choice)
                    complete = complete or choice.finish_reason is not None
                    delta = choice.delta or Delta()
                    for call in delta.tool_calls or ():
                        pieces.add(call)
                    if delta.content:
                        yield Message.assistant(delta.content)
        except httpx.HTTPError as error:
            raise _unreachable(error) from error
        if not complete:
            raise ModelError("The endpoint has closed the stream before the end of the answer")
        yield Message.assistant("", pieces.joined())

    def _body(self, request: ModelRequest[Message], *, stream: bool) -> dict[str, Json]:
        body: dict[str, Json] = {"model": self._model, "messages": [_sent(m) for m in request.messages]}
        if stream:
            body["stream"] = True
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters or {"type": "object", "properties": {}},
                    },
                }
                for tool in request.tools
            ]
        return body


def _sent(message: Message) -> dict[str, Json]:
    """Return a message as the endpoint expects it."""
    sent: dict[str, Json] = {"role": message.role, "content": message.outcome}
    if message.tool_calls:
        sent["content"] = message.content or None
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        sent["tool_call_id"] = message.call_id
    return sent


async def _event_data(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the data of each server-sent event.

    The lines are split here: `aiter_lines` of httpx also splits at characters that are allowed inside JSON.
    """
    rest, data = b"", []
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            field, _, value = line.rstrip(b"\r").partition(b":")
            if field == b"data":
                data.append(value.removeprefix(b" "))
            elif line.rstrip(b"\r") == b"" and data:
                yield b"\n".join(data)
                data = []


def _first_choice(body: bytes) -> Choice | None:
    """Return the first choice, if there is one. Raises `ModelError` for anything but a chat completion."""
    try:
        completion = msgspec.json.decode(body, type=Completion)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"The endpoint has sent no chat completion: {error}") from error
    if completion.error is not None:
        raise ModelError(f"The endpoint reports an error: {_error_text(completion.error)}")
    return completion.choices[0] if completion.choices else None


def _tool_call(id_: str, functions: list[Function]) -> ToolCall:
    """Return the call. The name is taken once: some endpoints repeat it in each piece."""
    name = next((function.name for function in functions if function.name), "")
    return ToolCall(id_, name, "".join(function.arguments or "" for function in functions) or "{}")


def _check_complete(choice: Choice) -> None:
    if choice.finish_reason in ("length", "content_filter"):
        raise ModelError(f"The endpoint has cut off the answer with the reason {choice.finish_reason!r}")


def _check_status(response: httpx.Response) -> None:
    if response.is_success:
        return
    try:
        text = _error_text(msgspec.json.decode(response.content, type=Completion).error)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = _one_line(response.text)
    status = f"{response.status_code} {response.reason_phrase}".rstrip()
    raise ModelError(f"The endpoint has answered with {status}: {text or 'no text'}")


def _error_text(error: Json) -> str:
    """Return the text of an error object, which most endpoints put under `message`."""
    return _one_line(str(error.get("message", error) if isinstance(error, dict) else error or ""))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]


def _unreachable(error: httpx.HTTPError) -> ModelError:
    return ModelError(f"The connection to the endpoint has failed: {_one_line(str(error)) or type(error).__name__}")


async def main(question: str, *, streaming: bool) -> None:
    """Run the agent once and print what arrives."""
    url, model = os.environ.get("OPENAI_BASE_URL"), os.environ.get("MODEL")
    if not url or not model:
        sys.exit("Set OPENAI_BASE_URL and MODEL, and OPENAI_API_KEY if the endpoint needs a key.")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        client = httpx.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT)
    except (httpx.InvalidURL, UnicodeEncodeError) as error:
        sys.exit(f"OPENAI_BASE_URL or OPENAI_API_KEY cannot be used: {error}.")
    async with client:
        agent = Agent(
            name="assistant",
            model=ChatCompletions(client, model),
            message_type=Message,
            instruction="Convert distances with the tool only.",
            tools=[ConvertDistance()],
        )
        async for event in agent.run([Message.user(question)], streaming=streaming):
            if isinstance(event, StreamEvent):
                await print_stream(event)
            elif isinstance(event, ErrorEvent):
                sys.exit(str(event.error).rstrip(".") + ".")
            else:
                print_event(event)


async def print_stream(event: StreamEvent) -> None:
    """Print the chunks of a streamed answer as they arrive."""
    begun = False
    try:
        async for chunk in event.stream:
            if chunk.text:
                print(chunk.text if begun else f"{chunk.role}: {chunk.text}", end="", flush=True)
                begun = True
            if chunk.tool_calls:
                print(end="\n" if begun else "")
                begun = False
                print_message(chunk)
    except ModelError:
        pass  # the run reports the same error as its last event
    if begun:
        print()


if __name__ == "__main__":
    options, words = [a for a in sys.argv[1:] if a == "--whole"], [a for a in sys.argv[1:] if a != "--whole"]
    if len(words) != 1:
        sys.exit(USAGE)
    asyncio.run(main(words[0], streaming=not options))
