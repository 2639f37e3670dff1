"""Records spans of openai 2.54.0 with opentelemetry-instrumentation-openai 0.62.4 of OpenLLMetry, with wrapt 1."""

import json
from typing import Any

from openai import OpenAI
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from spans import PROVIDER, SCRIPT, SERVER, URL, read, write


def main() -> None:
    OpenAIInstrumentor().instrument()
    client = OpenAI(api_key="none", base_url=URL).chat.completions
    tool: Any = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
    messages: list[Any] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Read."}]
    SERVER.script = [SCRIPT[0][1:], *SCRIPT[1:]]
    with PROVIDER.get_tracer("main").start_as_current_span("main"):
        for _ in range(3):
            stream = client.create(model="mock", messages=messages, tools=[tool], stream=True)
            deltas = [chunk.choices[0].delta for chunk in stream]
            calls = [call for delta in deltas for call in delta.to_dict().get("tool_calls", ())]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            for call in calls:
                path = json.loads(call["function"]["arguments"])["path"]
                content = "no such file" if path == "missing" else read(path)
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    write("streamed_openai.jsonl")


if __name__ == "__main__":
    main()
