"""Misbehaviors of an adapter in one case, instead of loading."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .adapter import Adapter

Request = dict[str, Any]
Misbehavior = Callable[[Adapter, Request], None]

MISBEHAVIORS: dict[str, Misbehavior] = {}
_LONG = 1000  # seconds


def misbehavior(act: Callable[[Adapter, Request], None]) -> Misbehavior:
    """Register a misbehavior by its name; it reads a file first, so that it happens in its own case."""
    name = act.__name__.replace("_", "-")

    def begun(adapter: Adapter, request: Request) -> None:
        adapter.answer(adapter.ask_for("/misbehavior.md"))
        with Path("misbehaved").open("a", encoding="ascii") as file:
            file.write(f"{name}\n")
        act(adapter, request)

    MISBEHAVIORS[name] = begun
    return begun


def of_reply(name: str, line: Callable[[str, str], bytes]) -> None:
    """Register a misbehavior that writes one line instead of the answer, made of the id and the result."""

    def act(adapter: Adapter, request: Request) -> None:
        adapter.raw(line(request["id"], json.dumps(adapter.loaded(request["params"]))) + b"\n")

    act.__name__ = name
    misbehavior(act)


def harmless(act: Callable[[Adapter, Request], None]) -> Misbehavior:
    """Register a harmless misbehavior by its name: the load continues correctly."""

    def begun(adapter: Adapter, request: Request) -> None:
        act(adapter, request)
        adapter.load(request)

    MISBEHAVIORS[act.__name__.replace("_", "-")] = begun
    return begun


def after_the_case(act: Callable[[Adapter, Request], None]) -> Misbehavior:
    """Register a misbehavior after the end of a case: the adapter loads, answers `case/end`, and misbehaves."""

    def begun(adapter: Adapter, request: Request) -> None:
        adapter.load(request)
        end = adapter.line()
        adapter.reply(end, {})
        act(adapter, end)

    MISBEHAVIORS[act.__name__.replace("_", "-")] = begun
    return begun


# -- time ------------------------------------------------------------------------------------------------------------


@misbehavior
def silent(adapter: Adapter, request: Request) -> None:
    while True:
        adapter.line()


@misbehavior
def slower_than_its_deadline(adapter: Adapter, request: Request) -> None:
    time.sleep(_LONG)


@harmless
def slow(adapter: Adapter, request: Request) -> None:
    time.sleep(0.3)


@misbehavior
def ignores_sigterm(adapter: Adapter, request: Request) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(_LONG)


@misbehavior
def stopped(adapter: Adapter, request: Request) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@misbehavior
def never_ends_the_case(adapter: Adapter, request: Request) -> None:
    adapter.load(request)
    silent(adapter, request)


@misbehavior
def notices_the_cancellation(adapter: Adapter, request: Request) -> None:
    """Answer the cancelled request during the next case."""
    while (message := adapter.line()).get("method") != "$/cancel":
        pass
    load = adapter.load

    def late(later: Request) -> None:
        adapter.load = load  # type: ignore[method-assign]  # the misbehavior
        adapter.reply(request, {"value": {"sections": [{"path": "/late.md", "text": message["method"]}]}})
        adapter.load(later)

    adapter.load = late  # type: ignore[method-assign, assignment]  # the misbehavior


# -- what is written -------------------------------------------------------------------------------------------------


@misbehavior
def prints(adapter: Adapter, request: Request) -> None:
    adapter.raw(b"hello, world\n")
    adapter.load(request)


@misbehavior
def prints_an_empty_line(adapter: Adapter, request: Request) -> None:
    adapter.raw(b"\n")
    adapter.load(request)


@misbehavior
def fifty_megabytes(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"jsonrpc":"2.0","id":"%b","result":{"text":"' % request["id"].encode())
    adapter.raw(b"x" * 50_000_000 + b'"}}\n')


@misbehavior
def floods_stderr(adapter: Adapter, request: Request) -> None:
    while True:
        os.write(2, b"all is well\n" * 1000)


@harmless
def writes_much_to_stderr(adapter: Adapter, request: Request) -> None:
    for _ in range(1000):
        os.write(2, b"all is well\n" * 1000)


@misbehavior
def floods_stdout(adapter: Adapter, request: Request) -> None:
    while True:
        adapter.warn("/misbehavior.md", "again")


@misbehavior
def never_reads(adapter: Adapter, request: Request) -> None:
    for _ in range(1000):
        adapter.ask_for("/" + "long" * 250)
    time.sleep(_LONG)


_RESULT = '{{"jsonrpc":"2.0","id":"{id}","result":{result}}}'

for _name, _line in {
    "invalid_utf8": lambda id_, result: b"\xff\xfe" + _RESULT.format(id=id_, result=result).encode(),
    "invalid_utf8_in_a_string": lambda id_, result: (
        _RESULT.format(id=id_, result='{"value":{"text":"?"}}').encode().replace(b"?", b"\xff")
    ),
    "half_a_character": lambda id_, result: _RESULT.format(id=id_, result='{"value":{"text":"\\ud800"}}').encode(),
    "nul": lambda id_, result: _RESULT.format(id=id_, result=result).encode() + b"\0",
    "batch": lambda id_, result: f"[{_RESULT.format(id=id_, result=result)}]".encode(),
    "lists_in_lists": lambda id_, result: _RESULT.format(id=id_, result="[" * 100_000 + "]" * 100_000).encode(),
    "objects_in_objects": lambda id_, result: _RESULT.format(
        id=id_, result='{"text":' * 100_000 + "1" + "}" * 100_000
    ).encode(),
    "huge_number": lambda id_, result: _RESULT.format(
        id=id_, result='{"value":{},"maxBytes":1' + "0" * 10_000 + "}"
    ).encode(),
    "result_and_error": lambda id_, result: (
        f'{{"id":"{id_}","result":{result},"error":{{"code":1,"message":"no"}}}}'.encode()
    ),
    "neither_result_nor_error": lambda id_, result: f'{{"jsonrpc":"2.0","id":"{id_}"}}'.encode(),
    "wrong_id": lambda id_, result: _RESULT.format(id="h999999", result=result).encode(),
    "number_as_id": lambda id_, result: f'{{"id":{id_[1:]},"result":{result}}}'.encode(),
    "fraction_as_id": lambda id_, result: f'{{"id":1.5,"result":{result}}}'.encode(),
    "result_without_a_value": lambda id_, result: _RESULT.format(id=id_, result="{}").encode(),
    "result_of_another_shape": lambda id_, result: _RESULT.format(id=id_, result='{"value":7}').encode(),
    "does_not_know_the_method": lambda id_, result: f'{{"id":"{id_}","error":{{"code":-32601}}}}'.encode(),
    "rpc_error": lambda id_, result: f'{{"id":"{id_}","error":{{"code":-32603,"message":"oh"}}}}'.encode(),
}.items():
    of_reply(_name, _line)


# -- what is out of turn ---------------------------------------------------------------------------------------------


@misbehavior
def answers_twice(adapter: Adapter, request: Request) -> None:
    result = adapter.loaded(request["params"])
    adapter.reply(request, result)
    adapter.reply(request, result)


@misbehavior
def answers_before_it_reads(adapter: Adapter, request: Request) -> None:
    adapter.reply(request, {"value": {"sections": [{"path": "/misbehavior.md", "text": "guessed"}]}})
    adapter.ask_for((request["params"]["files"] or ["/misbehavior.md"])[0])


@misbehavior
def asks_for_the_case_before(adapter: Adapter, request: Request) -> None:
    refused = adapter.answer(adapter.ask_for("/misbehavior.md", case=adapter.case - 1))
    adapter.write({"method": "adapter/fault", "params": {"message": json.dumps(refused["error"]["code"])}})


@misbehavior
def asks_for_a_case_to_come(adapter: Adapter, request: Request) -> None:
    adapter.ask_for("/misbehavior.md", case=adapter.case + 1)


@misbehavior
def uses_an_id_twice(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"id":"a0","method":"clock/sleep","params":{"case":%d,"seconds":1}}\n' % adapter.case * 2)


@misbehavior
def asks_without_an_id(adapter: Adapter, request: Request) -> None:
    adapter.write(
        {"method": "files/read", "params": {"case": adapter.case, "request": {"filePath": "/misbehavior.md"}}}
    )


@misbehavior
def asks_nonsense(adapter: Adapter, request: Request) -> None:
    adapter.send("files/read", request=["/misbehavior.md"])


@harmless
def numbers_its_requests(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"id":7,"method":"unheard/of"}\n')
    while adapter.line().get("id") != 7:
        pass


@harmless
def asks_for_what_is_unknown(adapter: Adapter, request: Request) -> None:
    assert adapter.answer(adapter.send("files/burn", path="/misbehavior.md"))["error"]["code"] == -32601


@harmless
def sends_an_unknown_notification(adapter: Adapter, request: Request) -> None:
    adapter.write({"method": "files/burnt", "params": {"path": "/misbehavior.md"}})


@misbehavior
def reports_a_fault(adapter: Adapter, request: Request) -> None:
    adapter.write({"method": "adapter/fault", "params": {"message": "I lost the handle o1"}})


# -- the end ---------------------------------------------------------------------------------------------------------


@misbehavior
def exits(adapter: Adapter, request: Request) -> None:
    os.write(2, b"panic: nothing to load\n")
    os._exit(3)


def exits_at_once(adapter: Adapter, request: Request) -> None:
    os._exit(3)


MISBEHAVIORS["exits-at-once"] = exits_at_once


@misbehavior
def killed(adapter: Adapter, request: Request) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@misbehavior
def ends_in_the_middle_of_a_line(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"jsonrpc":"2.0","id":"%b","res' % request["id"].encode())
    os._exit(0)


@misbehavior
def closes_its_output(adapter: Adapter, request: Request) -> None:
    os.close(1)
    time.sleep(_LONG)


@misbehavior
def closes_its_input(adapter: Adapter, request: Request) -> None:
    os.close(0)
    adapter.ask_for("/misbehavior.md")
    time.sleep(_LONG)


def _leave_grandchild(first: str, then: str) -> None:
    """Start a grandchild that holds the pipes, record its process id, and exit once it works."""
    at_work, begins = os.pipe()
    code = f"import os, signal, time\n{first}\nos.write({begins}, b'.')\n{then}"
    process = subprocess.Popen([sys.executable, "-S", "-c", code], pass_fds=[begins])
    with Path("grandchildren").open("a", encoding="ascii") as file:
        file.write(f"{process.pid}\n")
    os.read(at_work, 1)
    os._exit(0)


@misbehavior
def grandchild_holds_the_pipe(adapter: Adapter, request: Request) -> None:
    _leave_grandchild("", "time.sleep(1000)")


@misbehavior
def grandchild_floods_the_pipe(adapter: Adapter, request: Request) -> None:
    line = '{"method": "unheard/of"}'
    _leave_grandchild(f"print('{line}', flush=True)", f"while True: print('{line}', flush=True)")


@misbehavior
def grandchild_ignores_everything(adapter: Adapter, request: Request) -> None:
    _leave_grandchild("for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)", "time.sleep(1000)")


# -- between two cases -----------------------------------------------------------------------------------------------


@after_the_case
def prints_between_cases(adapter: Adapter, end: Request) -> None:
    adapter.raw(b"good bye\n")


@after_the_case
def exits_between_cases(adapter: Adapter, end: Request) -> None:
    os._exit(3)


@after_the_case
def ends_the_case_twice(adapter: Adapter, end: Request) -> None:
    adapter.reply(end, {})


@after_the_case
def asks_too_late(adapter: Adapter, end: Request) -> None:
    adapter.ask_for("/misbehavior.md")
    adapter.warn("/late.md")


@after_the_case
def is_deaf_between_cases(adapter: Adapter, end: Request) -> None:
    time.sleep(_LONG)
