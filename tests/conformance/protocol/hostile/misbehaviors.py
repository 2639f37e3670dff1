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
COSTS: dict[str, tuple[str, str] | None] = {}  # the verdict and a part of the message; None: no effect
UNANSWERED = "before it answered loader/load"
LATE = (
    "hostile did not answer loader/load within 1 s: see its messages in --report, or give it more time with --timeout"
)
ANSWERED, WROTE = "the adapter answered loader/load ", 'the adapter wrote \'{"jsonrpc":"2.0","id":'
PRINTED = "to its standard output, which is for messages only: print to standard error instead"
_LONG = 1000  # seconds


def misbehavior(verdict: str, said: str = "") -> Callable[[Misbehavior], Misbehavior]:
    """Register a misbehavior by its name, with the verdict of its own case and a part of the message.

    It reads a file first, so that it happens in its own case.
    """

    def register(act: Misbehavior) -> Misbehavior:
        def begun(adapter: Adapter, request: Request) -> None:
            adapter.answer(adapter.ask_for("/misbehavior.md"))
            with Path("misbehaved").open("a", encoding="ascii") as file:
                file.write(f"{_name_of(act)}\n")
            act(adapter, request)

        return _registered(act, begun, (verdict, said))

    return register


def _registered(act: Misbehavior, performed: Misbehavior, cost: tuple[str, str] | None) -> Misbehavior:
    MISBEHAVIORS[_name_of(act)] = performed
    COSTS[_name_of(act)] = cost
    return performed


def _name_of(act: Misbehavior) -> str:
    return act.__name__.replace("_", "-")


def harmless(act: Misbehavior) -> Misbehavior:
    """Register a harmless misbehavior by its name: the load continues correctly."""

    def begun(adapter: Adapter, request: Request) -> None:
        act(adapter, request)
        adapter.load(request)

    return _registered(act, begun, None)


def after_the_case(act: Misbehavior) -> Misbehavior:
    """Register a misbehavior after the end of a case: the adapter loads, answers `case/end`, and misbehaves."""

    def begun(adapter: Adapter, request: Request) -> None:
        adapter.load(request)
        end = adapter.line()
        adapter.reply(end, {})
        act(adapter, end)

    return _registered(act, begun, None)


# -- time ------------------------------------------------------------------------------------------------------------


@misbehavior("timed-out", LATE)
def silent(adapter: Adapter, request: Request) -> None:
    while True:
        adapter.line()


@misbehavior("timed-out", LATE)
def slower_than_its_deadline(adapter: Adapter, request: Request) -> None:
    time.sleep(_LONG)


@harmless
def slow(adapter: Adapter, request: Request) -> None:
    time.sleep(0.3)


@misbehavior("timed-out", LATE)
def ignores_sigterm(adapter: Adapter, request: Request) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(_LONG)


@misbehavior("timed-out", LATE)
def stopped(adapter: Adapter, request: Request) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@misbehavior("timed-out", "hostile did not answer case/end within 2 s: ")
def never_ends_the_case(adapter: Adapter, request: Request) -> None:
    adapter.load(request)
    silent(adapter, request)


@misbehavior("timed-out", LATE)
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


@misbehavior("errored", f"the adapter printed 'hello, world' {PRINTED}")
def prints(adapter: Adapter, request: Request) -> None:
    adapter.raw(b"hello, world\n")
    adapter.load(request)


@misbehavior("errored", f"the adapter printed '' {PRINTED}")
def prints_an_empty_line(adapter: Adapter, request: Request) -> None:
    adapter.raw(b"\n")
    adapter.load(request)


@misbehavior("errored", "the adapter wrote a line that is longer than 33554432 bytes")
def fifty_megabytes(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"jsonrpc":"2.0","id":"%b","result":{"text":"' % request["id"].encode())
    adapter.raw(b"x" * 50_000_000 + b'"}}\n')


@misbehavior("timed-out", LATE)
def floods_stderr(adapter: Adapter, request: Request) -> None:
    while True:
        os.write(2, b"all is well\n" * 1000)


@harmless
def writes_much_to_stderr(adapter: Adapter, request: Request) -> None:
    for _ in range(1000):
        os.write(2, b"all is well\n" * 1000)


@misbehavior("timed-out", LATE)
def floods_stdout(adapter: Adapter, request: Request) -> None:
    while True:
        adapter.warn("/misbehavior.md", "again")


@misbehavior("timed-out", LATE)
def never_reads(adapter: Adapter, request: Request) -> None:
    for _ in range(1000):
        adapter.ask_for("/" + "long" * 250)
    time.sleep(_LONG)


_HEAD = b'{"jsonrpc":"2.0","id":"ID","result":'
_WHOLE = _HEAD + b"RESULT}"
# Lines instead of the answer, with the id and the result of the answer, and what is said of each.
_LINES = {
    "invalid-utf8": (b"\xff\xfe" + _WHOLE, "the adapter printed '\ufffd\ufffd{"),
    "invalid-utf8-in-a-string": (_HEAD + b'{"value":{"text":"\xff"}}}', f'{ANSWERED}with \'{{"value":'),
    "half-a-character": (_HEAD + b'{"value":{"text":"\\ud800"}}}', "which is not a message of JSON-RPC: "),
    "nul": (_WHOLE + b"\0", "which is not a message of JSON-RPC: "),
    "batch": (b"[" + _WHOLE + b"]", 'the adapter wrote the batch \'[{"jsonrpc":'),
    "lists-in-lists": (_HEAD + b"[" * 100_000 + b"]" * 100_000 + b"}", WROTE),
    "objects-in-objects": (_HEAD + b'{"text":' * 100_000 + b"1" + b"}" * 100_001, WROTE),
    "result-and-error": (b'{"id":"ID","result":RESULT,"error":{"code":1}}', 'the adapter wrote \'{"id":'),
    "neither-result-nor-error": (b'{"jsonrpc":"2.0","id":"ID"}', WROTE),
    "wrong-id": (_WHOLE.replace(b"ID", b"h9999"), "the adapter answered 'h9999', which is the id of no request"),
    "number-as-id": (b'{"id":4,"result":RESULT}', "which is the id of no request"),
    "fraction-as-id": (b'{"id":1.5,"result":RESULT}', "which is not a message of JSON-RPC"),
    "result-without-a-value": (_HEAD + b"{}}", f"{ANSWERED}with '{{}}': it has neither a `value` nor an `error`"),
    "result-of-another-shape": (_HEAD + b'{"value":7}}', f"{ANSWERED}with '{{\"value\":7}}'"),
    "does-not-know-the-method": (
        b'{"id":"ID","error":{"code":-32601}}',
        "the adapter does not know loader/load, which its declarations need",
    ),
    "rpc-error": (b'{"id":"ID","error":{"code":-32603,"message":"oh"}}', f"{ANSWERED}with the error -32603: oh"),
}


def _writing(line: bytes) -> Misbehavior:
    def act(adapter: Adapter, request: Request) -> None:
        result = json.dumps(adapter.loaded(request["params"])).encode()
        adapter.raw(line.replace(b"ID", request["id"].encode()).replace(b"RESULT", result) + b"\n")

    return act


for _name, (_line, _said) in _LINES.items():
    _act = _writing(_line)
    _act.__name__ = _name
    misbehavior("errored", _said)(_act)


@misbehavior("failed")
def huge_number(adapter: Adapter, request: Request) -> None:
    _writing(_HEAD + b'{"value":{},"size":1' + b"0" * 10_000 + b"}}")(adapter, request)


# -- what is out of turn ---------------------------------------------------------------------------------------------


@misbehavior("errored", "which has been answered already")
def answers_twice(adapter: Adapter, request: Request) -> None:
    result = adapter.loaded(request["params"])
    adapter.reply(request, result)
    adapter.reply(request, result)


@misbehavior("failed")
def answers_before_it_reads(adapter: Adapter, request: Request) -> None:
    adapter.reply(request, {"value": {"sections": [{"path": "/misbehavior.md", "text": "guessed"}]}})
    adapter.ask_for((request["params"]["files"] or ["/misbehavior.md"])[0])


@misbehavior("errored", "the adapter reports a fault of its own: -32011")
def asks_for_the_case_before(adapter: Adapter, request: Request) -> None:
    refused = adapter.answer(adapter.ask_for("/misbehavior.md", case=adapter.case - 1))
    adapter.write({"method": "adapter/fault", "params": {"message": json.dumps(refused["error"]["code"])}})


@misbehavior("errored", "the adapter sent files/read for case ")
def asks_for_a_case_to_come(adapter: Adapter, request: Request) -> None:
    adapter.ask_for("/misbehavior.md", case=adapter.case + 1)


@misbehavior("errored", "the adapter used the id 'a0' for two requests at the same time")
def uses_an_id_twice(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"id":"a0","method":"clock/sleep","params":{"case":%d,"seconds":1}}\n' % adapter.case * 2)


@misbehavior("errored", "the adapter sent files/read in the wrong form: it is a request")
def asks_without_an_id(adapter: Adapter, request: Request) -> None:
    adapter.write(
        {"method": "files/read", "params": {"case": adapter.case, "request": {"filePath": "/misbehavior.md"}}}
    )


@misbehavior("errored", 'the adapter sent files/read with the params \'{"case":')
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


@misbehavior("errored", "the adapter reports a fault of its own: I lost the handle o1")
def reports_a_fault(adapter: Adapter, request: Request) -> None:
    adapter.write({"method": "adapter/fault", "params": {"message": "I lost the handle o1"}})


# -- the end ---------------------------------------------------------------------------------------------------------


@misbehavior(
    "crashed", f"the process of hostile ended with exit code 3 {UNANSWERED}; stderr ends with 'panic: nothing to"
)
def exits(adapter: Adapter, request: Request) -> None:
    os.write(2, b"panic: nothing to load\n")
    os._exit(3)


def exits_at_once(adapter: Adapter, request: Request) -> None:
    os._exit(3)


_registered(exits_at_once, exits_at_once, ("crashed", f"the process of hostile ended with exit code 3 {UNANSWERED}"))


@misbehavior("crashed", f"the process of hostile was ended by SIGKILL {UNANSWERED}")
def killed(adapter: Adapter, request: Request) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@misbehavior("crashed", f"the process of hostile ended with exit code 0 {UNANSWERED}")
def ends_in_the_middle_of_a_line(adapter: Adapter, request: Request) -> None:
    adapter.raw(b'{"jsonrpc":"2.0","id":"%b","res' % request["id"].encode())
    os._exit(0)


@misbehavior("crashed", f"the process of hostile closed its standard output {UNANSWERED}")
def closes_its_output(adapter: Adapter, request: Request) -> None:
    os.close(1)
    time.sleep(_LONG)


@misbehavior("crashed", "the process of hostile closed its standard input before it answered ")
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


@misbehavior("crashed", f"the process of hostile ended with exit code 0 {UNANSWERED}")
def grandchild_holds_the_pipe(adapter: Adapter, request: Request) -> None:
    _leave_grandchild("", "time.sleep(1000)")


@misbehavior("crashed", f"the process of hostile ended with exit code 0 {UNANSWERED}")
def grandchild_floods_the_pipe(adapter: Adapter, request: Request) -> None:
    line = '{"method": "unheard/of"}'
    _leave_grandchild(f"print('{line}', flush=True)", f"while True: print('{line}', flush=True)")


@misbehavior("crashed", f"the process of hostile ended with exit code 0 {UNANSWERED}")
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
