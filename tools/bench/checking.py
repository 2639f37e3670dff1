"""`loopspec check` compared with parsing the same files as JSON."""

from __future__ import annotations

import json
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from loopspec_check.checking import check_file

from .measuring import Row, best_in_turns, cpu_seconds

SESSIONS, MESSAGES, ROUNDS = 200, 200, 5
LITTLE = 10  # the short form has so many times fewer sessions
BUDGET = 3.0


def session(number: int) -> str:
    """A session of rounds with two calls, whose results are as long as those of real tools."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "Look at the files, please. " * 5}]
    while len(messages) < MESSAGES:
        ids = [f"call_{number}_{len(messages)}_{place}" for place in range(2)]
        calls = [{"id": one, "function": {"name": "read", "arguments": '{"path": "src/a.py"}'}} for one in ids]
        messages.append({"role": "assistant", "content": "I read both files. " * 10, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": one, "content": "def f(x):\n    return x\n" * 60} for one in ids]
    return json.dumps(messages)


def rows(short: bool) -> Iterator[Row]:
    """Seconds of CPU for sessions, one in each file, and for `json.loads` of the files."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.json") for number in range(SESSIONS // LITTLE if short else SESSIONS)]
        for number, file in enumerate(files):
            file.write_text(session(number), encoding="utf-8")
        parsed, checked = best_in_turns(
            1 if short else ROUNDS,
            lambda: cpu_seconds(lambda: deque((json.loads(file.read_bytes()) for file in files), 0)),
            lambda: cpu_seconds(lambda: deque((list(check_file(file, None, ())) for file in files), 0)),
        )
    yield Row("check", checked, parsed, f"json.loads of {len(files)} sessions of {MESSAGES} messages", BUDGET)
