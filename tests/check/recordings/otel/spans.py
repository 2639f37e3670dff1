"""Keeps the spans of a process; writes them with opentelemetry-exporter-otlp-json-file 0.66b1 or as on a console."""

import io
import json
import sys
from pathlib import Path
from typing import Any

from opentelemetry import trace
from opentelemetry.exporter.otlp.json.file import FileSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from scripted_endpoint import Endpoint  # noqa: E402  # the path comes first

LEFT_OUT = {"exception.stacktrace", "model_request_parameters", "logfire.json_schema", "gen_ai.tool.json_schema",
            "gen_ai.tool.definitions", "pydantic_ai.all_messages"}  # fmt: skip
SERVER = Endpoint([])
URL = f"http://127.0.0.1:{SERVER.server_port}/v1"
MEMORY, PROVIDER = InMemorySpanExporter(), TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(MEMORY))
trace.set_tracer_provider(PROVIDER)


def call(number: int, path: str, name: str = "read") -> dict[str, Any]:
    return {"call": f"call_{number}", "name": name, "arguments": {"path": path}}


SCRIPT = [["I look.", call(1, "a.txt"), call(2, "missing")], [call(3, "b.txt")], ["One, two."], ["No more."]]


def read(path: str) -> str:
    """Read a file."""
    return {"a.txt": "one", "b.txt": "two"}[path]


def write(name: str, *, is_console: bool = False) -> None:
    """Write the spans since the last call, as OTLP with one line for each trace, or one value, or as on a console."""
    spans, out = MEMORY.get_finished_spans(), io.StringIO()
    path = HERE / name
    MEMORY.clear()
    indent = 1 if path.suffix == ".json" else None
    if is_console:
        ConsoleSpanExporter(out=out, formatter=lambda span: span.to_json(indent=None) + "\n").export(spans)
    elif indent:
        FileSpanExporter(stream=out).export(spans)
    else:
        for trace_id in dict.fromkeys(span.context.trace_id for span in spans):
            FileSpanExporter(stream=out).export([span for span in spans if span.context.trace_id == trace_id])
    lines = [json.dumps(_clean(json.loads(line)), indent=indent) for line in out.getvalue().splitlines()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _clean(value: Any) -> Any:
    """The value without stack traces, schemas and the address of the endpoint."""
    if isinstance(value, list):
        return [_clean(one) for one in value if not (isinstance(one, dict) and one.get("key") in LEFT_OUT)]
    if isinstance(value, dict):
        return {key: _clean(one) for key, one in value.items() if key not in LEFT_OUT}
    return value.replace(URL, "http://host/v1") if isinstance(value, str) else value
