"""Records spans of strands-agents 1.62.0, with its own instrumentation: in the older form and the newer."""

import os

from spans import SCRIPT, SERVER, URL, read, write
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import tracer


def main() -> None:
    model = OpenAIModel(client_args={"api_key": "none", "base_url": URL}, model_id="mock")
    for name in ("events_strands.jsonl", "details_strands.jsonl"):
        agent = Agent(model=model, name="reader", system_prompt="Be brief.", tools=[tool(read)], callback_handler=None)
        SERVER.script = [*SCRIPT]
        agent("Read.")
        write(name, is_console=True)
        os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
        tracer._tracer_instance = None


if __name__ == "__main__":
    main()
