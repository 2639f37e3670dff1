"""The talk with an adapter, over lines that are given beforehand; and the coroutines that it moves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from typing import cast

import pytest

from loopspec import AdapterError
from loopspec.protocol import messages as m
from loopspec.protocol.rpc import Line
from loopspec.targets.process import peer as module
from loopspec.targets.process.child import Child, Ended
from loopspec.targets.process.coroutines import CallCancelled, Place, Tasks
from loopspec.targets.process.peer import DeadlinePassed, Peer


class Lines:
    """A child that answers as it is told; with nothing more to say, it is silent for as long as it is waited for."""

    def __init__(self, answer: Callable[[dict[str, object]], list[str]]) -> None:
        self.sent: list[dict[str, object]] = []
        self.waiting: list[bytes] = []
        self._answer = answer

    @property
    def has_line(self) -> bool:
        return bool(self.waiting)

    def send(self, line: bytes) -> None:
        self.sent.append(json.loads(line))
        self.waiting += [said.encode() for said in self._answer(self.sent[-1])]

    def receive(self, timeout: float) -> bytes | None:
        if self.waiting:
            return self.waiting.pop(0)
        time.sleep(timeout)
        return None


class Server:
    """Keeps what the adapter asked for."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []

    def serve(self, message: Line) -> None:
        self.asked.append(message.method)


def peer_of(answer: Callable[[dict[str, object]], list[str]], seconds: float = 0.1) -> tuple[Peer, Tasks, Lines]:
    """A peer with some time."""
    tasks, lines = Tasks(), Lines(answer)
    peer = Peer(cast("Child", lines), tasks)
    peer.allow(seconds)
    return peer, tasks, lines


def reply(message: dict[str, object], result: str = "{}") -> str:
    """An answer to a message."""
    return f'{{"jsonrpc":"2.0","id":"{message["id"]}","result":{result}}}'


def test_what_comes_while_only_an_answer_is_waited_for_is_served_later() -> None:
    """In the order in which it came."""
    server = Server()
    peer, _, _ = peer_of(lambda message: ['{"method":"log"}', '{"id":"a1","method":"files/read"}', reply(message)])
    peer.requests = server

    async def course() -> list[str | None]:
        peer.ask_now("local/set", m.Empty(), m.Empty)
        before = list(server.asked)
        await peer.ask("whole", m.Empty(), m.Empty)
        return before

    assert peer.run(course(), lambda: False) == []
    assert server.asked == ["log", "files/read"] * 2
    assert peer.heard


def test_a_nested_request_that_is_never_answered_is_a_deadline_that_has_passed() -> None:
    """Also where a double in between makes something else of every exception."""
    peer, tasks, _ = peer_of(lambda message: [])

    async def double() -> None:
        try:
            peer.ask_now("local/set", m.Empty(), m.Empty)
        except BaseException as error:
            raise ValueError("swallowed") from error

    async def course() -> None:
        tasks.start(double())
        await peer.begin("agent/run", m.Empty())

    with pytest.raises(DeadlinePassed):
        peer.run(course(), lambda: False)
    assert peer.awaited() == "agent/run, local/set"
    tasks.clear()


def test_an_adapter_that_writes_without_end_has_its_time_all_the_same() -> None:
    """The harness's own time does not count, but it has an end, too."""
    peer, _, lines = peer_of(lambda message: [])
    peer.requests = Server()
    lines.receive = lambda timeout: b'{"method":"log"}'  # type: ignore[method-assign]  # a child of another kind

    async def course() -> None:
        await peer.ask("ping", m.Empty(), m.Empty)

    with pytest.raises(DeadlinePassed):
        peer.run(course(), lambda: False)


def test_an_adapter_may_not_write_more_than_is_worth_keeping(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one case; in the next it may again."""
    monkeypatch.setattr(module, "_MOST", 200)
    peer, _, _ = peer_of(lambda message: [reply(message, f'{{"unknown":"{"x" * 100}"}}')])

    assert peer.ask_now("ping", m.Empty(), m.Empty) == m.Empty()
    peer.forget()
    assert peer.ask_now("ping", m.Empty(), m.Empty) == m.Empty()
    with pytest.raises(AdapterError, match=r"^the adapter wrote more than 200 bytes in one case: write less$"):
        peer.ask_now("ping", m.Empty(), m.Empty)


def test_once_something_is_broken_nothing_goes_on() -> None:
    """Whoever asks again is told the same."""
    peer, tasks, lines = peer_of(lambda message: ["[]"])

    async def course() -> None:
        await peer.ask("ping", m.Empty(), m.Empty)

    with pytest.raises(AdapterError, match="printed"):
        peer.run(course(), lambda: False)
    lines.waiting.append(b"{}")
    with pytest.raises(AdapterError, match="printed"):
        peer.run(course(), lambda: False)
    tasks.clear()


@pytest.mark.parametrize("late", ["h1", "h2"])
def test_what_comes_late_for_an_earlier_case_is_nobodys_fault(late: str) -> None:
    """Neither a second answer nor one to what was taken back."""
    peer, _, lines = peer_of(lambda message: [reply(message)] if message["id"] != "h2" else [])
    peer.ask_now("ping", m.Empty(), m.Empty)
    peer.begin("loader/load", m.Empty())
    assert peer.let_go() == ("h2",)
    peer.forget()

    lines.waiting.append(reply({"id": late}).encode())

    peer.ask_now("ping", m.Empty(), m.Empty)
    assert peer.transcript().splitlines()[1:] == [f"< {reply({'id': id_})}" for id_ in (late, "h3")]


def test_of_a_long_message_the_beginning_is_evidence() -> None:
    """And how long it was."""
    peer, _, _ = peer_of(lambda message: [reply(message, f'{{"unknown":"{"x" * 5000}"}}')])

    peer.ask_now("ping", m.Empty(), m.Empty)

    first, second = peer.transcript().splitlines()
    assert first == '> {"jsonrpc":"2.0","id":"h1","method":"ping","params":{}}'
    assert second.endswith("xxx … (5051 bytes)")
    assert len(second) < 2100


def test_before_there_is_a_case_an_adapter_is_refused_what_it_asks_for() -> None:
    """What it only tells is passed over."""
    peer, _, lines = peer_of(lambda message: [])
    lines.waiting += [b'{"id":"a1","method":"files/read"}', b'{"method":"log"}']

    async def course() -> None:
        await peer.ask("initialize", m.Empty(), m.Empty)

    with pytest.raises(DeadlinePassed):
        peer.run(course(), lambda: False)
    assert lines.sent[1]["error"] == {"code": -32011, "message": "no case has begun"}


def test_one_that_is_gone_is_told_of_wherever_it_is_noticed() -> None:
    """In a task, too, that has nothing to do with it."""
    peer, tasks, lines = peer_of(lambda message: [])

    def gone(timeout: float) -> bytes | None:
        raise Ended

    lines.receive = gone  # type: ignore[method-assign]  # a child of another kind

    async def course() -> None:
        await tasks.together([peer.ask("ping", m.Empty(), m.Empty)])

    with pytest.raises(Ended):
        peer.run(course(), lambda: False)
    tasks.clear()


# -- coroutines ------------------------------------------------------------------------------------------------------


def test_of_several_the_first_error_is_raised_when_all_are_over() -> None:
    """None is left under way."""
    tasks = Tasks()
    place: Place[None] = Place(tasks)
    over = []

    async def waits() -> None:
        await place
        over.append("waited")

    async def fails(word: str) -> None:
        raise ValueError(word)

    together = tasks.start(tasks.together([waits(), fails("first"), fails("second")]))
    tasks.move()
    assert not together.ended
    place.set_result(None)
    place.set_exception(ValueError("too late"))
    tasks.move()

    assert over == ["waited"]
    with pytest.raises(ValueError, match="first"):
        next(cast("Place[object]", together.over).__await__())


def test_a_task_is_cancelled_where_it_waits_and_not_where_it_does_not() -> None:
    """It may clean up, and wait for that."""
    tasks = Tasks()
    seen = []

    async def call() -> None:
        try:
            await tasks.place()
        except CallCancelled:
            seen.append("cancelled")
            await tasks.place()

    task = tasks.start(call())
    tasks.cancel(task)
    assert tasks.can_move
    tasks.move()
    assert seen == []
    tasks.cancel(task)
    tasks.move()
    assert (seen, task.ended, len(tasks.held)) == (["cancelled"], False, 1)
    tasks.clear()
    tasks.cancel(task)
    assert (task.ended, tasks.can_move, tasks.held) == (True, False, set())


def test_one_that_will_not_be_let_go_of_keeps_nobody() -> None:
    """Nor does what it fails with on the way."""
    tasks = Tasks()

    async def fails() -> None:
        try:
            await tasks.place()
        finally:
            raise ValueError("on the way out")

    tasks.start(fails())
    tasks.move()
    tasks.clear()

    assert (tasks.can_move, tasks.held) == (False, set())


def test_ctrl_c_in_a_task_is_not_its_outcome() -> None:
    """It goes through."""
    tasks = Tasks()

    class Interrupted:
        def __await__(self) -> Generator[None, None, None]:
            raise KeyboardInterrupt
            yield

    async def call() -> None:
        await Interrupted()

    tasks.start(call())
    with pytest.raises(KeyboardInterrupt):
        tasks.move()
    tasks.clear()
