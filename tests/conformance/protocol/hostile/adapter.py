"""An adapter for the role loader that misbehaves in one case: `adapter MISBEHAVIOR@CASE …`.

The adapter does not import loopspec. A misbehavior of `misbehaviors.py` replaces the loading of one case. The file
`starts` counts the starts of the adapter, which can also misbehave while it starts: see `beginnings.py`.
"""

from __future__ import annotations

import base64
import json
import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

_MENTION = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/-]*)")
_KNOWN = re.compile(r"\.(md|txt|mdx|yaml|yml|json|toml)$")


class Failed(Exception):
    """Raised for a failed read; the argument is the received error."""


class Adapter:
    """A blocking adapter that does one thing at a time."""

    def __init__(self) -> None:
        self.asked = 0
        self.case = 0
        self.starts = 1
        self.name, self.version = "hostile", 1
        self.roles = ["loader"]
        self.cancelled = False
        self.left = -1  # messages until it exits; negative: it does not exit
        self.dies_within = False

    def line(self) -> dict[str, Any]:
        """Read the next message; exit at the end of the input."""
        dies = self.dies()
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if dies:
            os._exit(3)
        return dict(json.loads(line))

    def write(self, message: dict[str, Any]) -> None:
        """Write a message."""
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        if self.dies():
            self.raw(line[: len(line) // 2])
            os._exit(3)
        self.raw(line)

    def die(self, how: str) -> None:
        """Exit at a later message or within it: `dies-at-3`, `dies-within-3`."""
        self.left = int(how.rpartition("-")[2])
        self.dies_within = "within" in how

    def dies(self) -> bool:
        """Count a message; exit before it, or return whether to exit within it."""
        self.left -= 1
        if self.left == -1 and not self.dies_within:
            os._exit(3)
        return self.left == -1

    def raw(self, data: bytes) -> None:
        """Write bytes."""
        while data:
            data = data[os.write(1, data) :]

    def reply(self, request: dict[str, Any], result: object) -> None:
        """Answer a request."""
        self.write({"id": request["id"], "result": result})

    def send(self, method: str, **params: object) -> str:
        """Send a request and return its id."""
        self.asked += 1
        id_ = f"a{self.asked}"
        self.write({"id": id_, "method": method, "params": {"case": self.case, **params}})
        return id_

    def answer(self, id_: str) -> dict[str, Any]:
        """Wait for the answer to a request; only a cancel request can arrive before it."""
        while True:
            message = self.line()
            if message.get("id") == id_ and "method" not in message:
                return message
            self.cancelled |= message.get("method") == "$/cancel"

    def ask_for(self, path: str, **params: object) -> str:
        """Send a request for a file and return its id."""
        return self.send("files/read", request={"filePath": path}, **params)

    def read(self, path: str) -> str:
        """Read a file of the scene."""
        result = self.answer(self.ask_for(path))["result"]
        if result.get("error"):
            raise Failed(result["error"])
        if "base64" in result:
            return base64.b64decode(result["base64"]).decode(errors="replace")
        return str(result.get("text") or "")

    def warn(self, path: str, message: str = "") -> None:
        """Send a warning."""
        self.write({"method": "warning", "params": {"case": self.case, "path": path, "message": message}})

    def add(self, path: str, chain: tuple[str, ...], sections: list[dict[str, str]]) -> None:
        """Load a file and its imports; only some of the rules are implemented."""
        try:
            text = self.read(path)
        except Failed as error:
            if error.args[0]["kind"] != "not_exist":
                raise
            self.warn(path, "it does not exist")
            return
        if text:
            sections.append({"path": path, "text": text})
        for mention in _MENTION.findall(text):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), mention))
            if ("/" in mention or _KNOWN.search(mention)) and imported not in (path, *chain) and len(chain) < 5:
                self.add(imported, (*chain, path), sections)

    def loaded(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a load."""
        sections: list[dict[str, str]] = []
        try:
            for path in params["files"]:
                self.add(posixpath.normpath(path), (), sections)
        except Failed as error:
            return {"error": error.args[0]}
        return {"value": {"sections": sections}}

    def load(self, request: dict[str, Any]) -> None:
        """Answer `loader/load` correctly."""
        self.reply(request, self.loaded(request["params"]))

    def initialize(self, request: dict[str, Any]) -> None:
        """Answer `initialize`."""
        said = {"name": self.name, "version": str(self.version), "language": "python"}
        self.reply(request, {"protocolVersion": 3, "implementation": said, "roles": self.roles})

    def take(self, request: dict[str, Any]) -> None:
        """Handle a request or the `exit` notification."""
        method = request["method"]
        if method == "exit":
            sys.exit(0)
        if method == "initialize":
            self.initialize(request)
        elif method == "loader/load":
            self.case = request["params"]["case"]
            self.load(request)
        elif "id" in request:
            self.reply(request, {})


def count_starts() -> int:
    """Count the starts of the adapter in this folder."""
    with Path("starts").open("ab") as file:
        file.write(b".")
    return Path("starts").stat().st_size


def main(misbehaviors: list[str]) -> None:
    """Run the adapter."""
    from .beginnings import BEGINNINGS
    from .misbehaviors import MISBEHAVIORS

    adapter = Adapter()
    adapter.starts = count_starts()
    at = {case: misbehavior for misbehavior, _, case in (each.partition("@") for each in misbehaviors) if case}
    for misbehavior in misbehaviors:
        if "@" not in misbehavior and misbehavior in BEGINNINGS:
            BEGINNINGS[misbehavior](adapter)
        elif "@" not in misbehavior:
            adapter.die(misbehavior)
    while True:
        message = adapter.line()
        if "method" not in message:
            continue
        misbehavior = at.get(str(message.get("params", {}).get("case")), "")
        if misbehavior.startswith("dies-") and message["method"] == "loader/load":
            adapter.die(misbehavior)
            adapter.take(message)
        elif misbehavior and message["method"] == "loader/load":
            adapter.case = message["params"]["case"]
            MISBEHAVIORS[misbehavior](adapter, message)
        else:
            adapter.take(message)


if __name__ == "__main__":
    main(sys.argv[1:])
