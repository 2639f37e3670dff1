"""An adapter of the standard library that answers as a test says."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

_SOURCE = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    params = request.get("params", {})
    for message in ANSWERS.get(request.get("method"), lambda request, params: [{"result": {}}])(request, params):
        if "id" in request or "method" in message:
            own = {} if "method" in message else {"id": request["id"]}
            print(json.dumps({"jsonrpc": "2.0", **own, **message}), flush=True)
"""


def scripted(folder: Path, declared: Mapping[str, object], answers: Mapping[str, str]) -> str:
    """Write the adapter, and return its command.

    `answers` are expressions in Python by method: the messages that answer a `request` with its `params`. A message
    with a `method` is one of the adapter's own; each other one is an answer, with its `result` or its `error`.
    """
    said = {"protocolVersion": 3, "implementation": {"name": "scripted"}, **declared}
    every = {"initialize": repr([{"result": said}]), **answers}
    rows = ", ".join(f"{method!r}: lambda request, params: {answer}" for method, answer in every.items())
    path = folder / "scripted.py"
    path.write_text(_SOURCE.replace("ANSWERS", f"{{{rows}}}"), encoding="utf-8")
    return shlex.join([sys.executable, "-S", str(path)])
