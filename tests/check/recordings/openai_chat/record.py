"""Records chat messages of tool loops with openai 3.57.0, litellm 1.110.2 and ollama 0.6.3, each in its own way."""

import json
import os
from pathlib import Path

import ollama
from openai import OpenAI

from ..given_answers import GivenAnswers, write

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # reads the variable

HERE = Path(__file__).parent
SYSTEM = {"role": "developer", "content": "Be brief."}
PICTURE = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]


def answer(text, *paths, stream=False, **more):
    """An answer of the endpoint, with a call for each path: the whole answer, or its chunks."""
    given = [{"name": "read_file", "arguments": json.dumps({"path": path})} for path in paths]
    calls = [
        {"id": f"call_{path}", "type": "function", "function": each} for path, each in zip(paths, given, strict=True)
    ]
    whole = {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion"}
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {}), **more}
    if not stream:
        return {**whole, "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    deltas = [{"role": "assistant", "content": text and text[:4]}, {"content": text and text[4:]}]
    deltas += [{"tool_calls": [{"index": number, **call}]} for number, call in enumerate(calls)]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"})
    return [{**whole, "object": "chat.completion.chunk", "choices": [choice]} for choice in choices]


def loop(messages, ask, *turns):
    """The tool loop that the documents of the interface show, over messages as they are stored."""
    for turn in turns:
        messages += [{"role": "user", "content": turn}, ask([*messages, {"role": "user", "content": turn}])]
        while calls := messages[-1].get("tool_calls"):
            for call in calls:
                result = "one" if "a.txt" in call["function"]["arguments"] else "Error: no such file"
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
            messages.append(ask(messages))
    return messages


server = GivenAnswers([])
chat = OpenAI(base_url=server.url, api_key="none").chat.completions


def streamed(messages):
    with chat.stream(model="gpt-5", messages=messages) as stream:
        return stream.get_final_completion().choices[0].message.model_dump()


def whole(messages):
    return chat.create(model="gpt-5", messages=messages).choices[0].message.to_dict()


def by_litellm(messages):
    made = litellm.completion(model="openai/gpt-5", messages=messages, api_base=server.url, api_key="none")
    return made.choices[0].message.model_dump()


server.script += [answer("I read.", "a.txt", "b"), answer(None, "c"), answer("One."), answer("No.")]
server.script += [answer("A picture.")]
write(HERE / "tool_loop.json", loop([SYSTEM], whole, "Read all.", "What else?", PICTURE))
server.script += [answer(None, "a.txt", stream=True), answer("Only one.", stream=True)]
write(HERE / "streamed_request.json", {"model": "gpt-5", "messages": loop([SYSTEM], streamed, "Read all.")})
server.script += [answer("", "b", reasoning_content="A file."), answer("There is no b.")]
write(HERE / "litellm.jsonl", *loop([SYSTEM], by_litellm, "Read b."))
call = {"function": {"name": "read_file", "arguments": {"path": "a.txt"}}}
server.script += [{"message": {"role": "assistant", "content": "", "tool_calls": [call, call]}}]
server.script += [{"message": {"role": "assistant", "content": "One, both times."}}]
client, messages = ollama.Client(host=server.url), [{"role": "user", "content": "Read a.txt twice."}]
messages.append(client.chat(model="m", messages=messages).message.model_dump())
messages += [{"role": "tool", "tool_name": "read_file", "content": "one"}] * 2
messages.append(client.chat(model="m", messages=messages).message.model_dump())
write(HERE / "ollama.json", messages)
