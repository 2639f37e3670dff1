"""Kills @anthropic-ai/claude-code 2.1.197 in the middle, and shows the request of the next run: `killed.toml`."""

import json
import signal
import sys
from typing import Any

from recorder import Recorder, call, text

WAITS = call(1, "sleep 30")
TWO = call(2, "echo two")
UNFINISHED = {**TWO, "input": None}
SITUATIONS: dict[str, tuple[signal.Signals, list[Any]]] = {
    "killed_in_one_of_two_calls": (signal.SIGKILL, [text("Two calls."), WAITS, TWO]),
    "killed_in_the_only_call": (signal.SIGKILL, [text("A call."), WAITS]),
    "killed_while_the_answer_is_streamed": (signal.SIGKILL, [text("Two calls."), call(1, "touch started"), UNFINISHED]),
    "interrupted_in_one_of_two_calls": (signal.SIGINT, [text("Two calls."), WAITS, TWO]),
}


def main() -> None:
    for situation, (sent, answer) in SITUATIONS.items():
        one = Recorder()
        arguments = one.arguments("Look.", answer)
        one.tool.stop(sent, lambda one=one: bool(one.endpoint.requests), *arguments)  # type: ignore[misc]  # a lambda with a default
        one.write(f"killed/{situation}.jsonl")
        one.run("Go on.", [text("I continue.")])
        sent_on = [{message["role"]: message["content"]} for message in one.endpoint.requests[-1]["messages"]]
        sys.stdout.write(f"{situation}: {json.dumps(one.tool.neutral(sent_on), indent=1)}\n")
        one.write(f"killed/{situation}_then_resumed.jsonl")


if __name__ == "__main__":
    main()
