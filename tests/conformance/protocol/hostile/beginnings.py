"""Misbehaviors of a starting adapter: each function gets the adapter before the first message."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

from .adapter import Adapter

BEGINNINGS: dict[str, Callable[[Adapter], None]] = {}


def beginning(act: Callable[[Adapter], None]) -> None:
    """Register a misbehavior by its name."""
    BEGINNINGS[act.__name__.replace("_", "-")] = act


@beginning
def is_silent(adapter: Adapter) -> None:
    time.sleep(1000)


@beginning
def is_gone(adapter: Adapter) -> None:
    os.write(2, b"starting\nno license\n")
    os._exit(7)


@beginning
def is_gone_after_a_message(adapter: Adapter) -> None:
    adapter.line()
    os._exit(7)


@beginning
def is_gone_in_the_middle_of_its_answer(adapter: Adapter) -> None:
    adapter.raw(b'{"jsonrpc":"2.0","id":"%b","result":{' % str(adapter.line()["id"]).encode())
    os.kill(os.getpid(), signal.SIGKILL)


@beginning
def prints_a_banner(adapter: Adapter) -> None:
    adapter.raw(b"Hostile 1.0 (c)\n")


@beginning
def speaks_no_such_version(adapter: Adapter) -> None:
    request = adapter.line()
    adapter.write({"id": request["id"], "error": {"code": -32010, "message": "not 3"}})


@beginning
def speaks_version_99(adapter: Adapter) -> None:
    request = adapter.line()
    adapter.reply(request, {"protocolVersion": 99, "implementation": {"name": "hostile"}, "roles": ["loader"]})


@beginning
def floods(adapter: Adapter) -> None:
    while True:
        adapter.write({"method": "log", "params": {"case": 1, "line": "starting"}})


@beginning
def breaks(adapter: Adapter) -> None:
    adapter.write({"method": "adapter/fault", "params": {"message": "no framework here"}})


@beginning
def is_talkative(adapter: Adapter) -> None:
    """Send a harmless notification and a request before `initialize` is answered."""
    adapter.write({"method": "starting"})
    assert adapter.line()["method"] == "initialize", "it is the first message"
    assert adapter.answer(adapter.ask_for("/early.md"))["error"]["code"] == -32011
    adapter.initialize({"id": "h1"})


@beginning
def changes_its_version(adapter: Adapter) -> None:
    adapter.version = adapter.starts


@beginning
def changes_its_version_once(adapter: Adapter) -> None:
    adapter.version = 2 if adapter.starts == 2 else 1


@beginning
def changes_its_roles(adapter: Adapter) -> None:
    adapter.roles = ["loader"] if adapter.starts == 1 else ["loader", "backend"]


@beginning
def starts_only_once(adapter: Adapter) -> None:
    if adapter.starts > 1:
        os.write(2, b"address already in use\n")
        os._exit(1)


@beginning
def starts_slowly_again(adapter: Adapter) -> None:
    time.sleep(5 if adapter.starts > 1 else 0)


@beginning
def starts_every_second_time(adapter: Adapter) -> None:
    if adapter.starts % 2 == 0:
        os._exit(1)


@beginning
def dies_in_every_case(adapter: Adapter) -> None:
    def die(request: dict[str, Any]) -> None:
        os._exit(9)

    adapter.load = die  # type: ignore[method-assign]  # the misbehavior


@beginning
def prints_after_every_case(adapter: Adapter) -> None:
    take = adapter.take

    def and_print(request: dict[str, Any]) -> None:
        take(request)
        if request["method"] == "case/end":
            adapter.raw(b"good bye\n")

    adapter.take = and_print  # type: ignore[method-assign]  # the misbehavior
