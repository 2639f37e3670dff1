"""A loader and its adapter, written from the protocol page with Python's standard library only.

The adapter uses no part of loopspec, blocks while it waits, and does one thing at a time.
"""

import base64
import json
import posixpath
import re
import sys
from collections.abc import Iterator
from typing import Any

MENTION = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/-]*)")
SUFFIXES = (".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml")
ASKED = 0


class Failed(Exception):
    """An error that the harness has sent."""


def send(**message: Any) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def messages() -> Iterator[dict[str, Any]]:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "exit":
            return
        yield message


def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Send a request, and answer messages that arrive before its reply: a ping, or the end of the case."""
    global ASKED
    ASKED += 1
    send(id=f"a{ASKED}", method=method, params=params)
    for message in messages():
        if "method" in message:
            answer(message)
        elif message["id"] == f"a{ASKED}":
            result: dict[str, Any] = message["result"]
            return result
    sys.exit()


def answer(message: dict[str, Any]) -> None:
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        if 3 not in params["protocolVersions"]:
            send(id=message["id"], error={"code": -32010, "message": "this adapter speaks version 3"})
            return
        implementation = {"name": "a loader of the standard library", "version": "1", "language": "python"}
        result: dict[str, Any] = {"protocolVersion": 3, "implementation": implementation, "roles": ["loader"]}
    elif method == "loader/load":
        try:
            sections = load(params["case"], params["files"], params.get("maxBytes", 0))
            result = {"value": {"sections": sections}}
        except Failed as failed:
            result = {"error": failed.args[0]}
    elif method in ("ping", "case/end"):
        result = {}
    elif "id" in message:
        send(id=message["id"], error={"code": -32601, "message": f"there is no method {method}"})
        return
    else:
        return
    send(id=message["id"], result=result)


# -- the loader ------------------------------------------------------------------------------------------------------


class Load:
    def __init__(self, case: int, most: int) -> None:
        self.case, self.most, self.size = case, most, 0
        self.seen: set[str] = set()

    def is_full(self) -> bool:
        return 0 < self.most < self.size

    def warn(self, path: str) -> None:
        send(method="warning", params={"case": self.case, "path": path})

    def read(self, path: str) -> str:
        reply = ask("files/read", {"case": self.case, "request": {"filePath": path}})
        if "error" not in reply:
            data = base64.b64decode(reply["base64"]) if "base64" in reply else reply.get("text", "").encode()
            self.size += len(data)
            return data.decode(errors="replace")
        if reply["error"]["kind"] != "not_exist":
            raise Failed(reply["error"])
        self.warn(path)
        return ""

    def add(self, path: str, above: list[str], group: list[dict[str, str]]) -> None:
        self.seen.add(path)
        text = self.read(path)
        if text:
            group.append({"path": path, "text": text})
        chain = [*above, path]
        for mention in MENTION.findall(text):
            imported = clean(posixpath.join(posixpath.dirname(path), mention))
            if "/" not in mention and not mention.endswith(SUFFIXES):
                continue
            if imported not in self.seen and len(chain) <= 5 and not self.is_full():
                self.add(imported, chain, group)
            elif imported in chain or imported not in self.seen:  # an import cycle, or a limit is reached
                self.warn(imported)


def load(case: int, files: list[str], most: int) -> list[dict[str, str]]:
    loading = Load(case, most)
    shown: list[dict[str, str]] = []
    for path in map(clean, files):
        group: list[dict[str, str]] = []
        was_full = loading.is_full()
        if path not in loading.seen and not was_full:
            loading.add(path, [], group)
        if was_full or (group and shown and loading.is_full()):
            loading.warn(path)
        else:
            shown += group
    return shown


def clean(path: str) -> str:
    return re.sub("^//", "/", posixpath.normpath(path))


if __name__ == "__main__":
    for asked in messages():
        answer(asked)
