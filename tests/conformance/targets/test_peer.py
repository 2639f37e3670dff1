"""The connection to an adapter over prepared lines, and the coroutines that it drives."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from typing import cast

import pytest

from loopspec import AdapterError
from loopspec.protocol import messages as m
from loopspec.protocol.methods import FROM_HARNESS
from loopspec.protocol.rpc import Line
from loopspec.targets.process import peer as module
from loopspec.targets.process.child import Child, Ended
from loopspec.targets.process.coroutines import CallCancelled, Place, Tasks
from loopspec.targets.process.peer import DeadlinePassed, Peer

PING, IDLE, END = (FROM_HARNESS[name] for name in ("ping", "idle", "case/end"))
EMPTY = m.Empty()


class Lines:
    """A child with prepared answers; without an answer, it is silent until the timeout."""

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
    """Records the adapter's requests."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []

    def serve(self, message: Line) -> None:
        self.asked.append(message.method)


def peer_of(answer: Callable[[dict[str, object]], list[str]], seconds: float = 0.1) -> tuple[Peer, Tasks, Lines]:
    """A peer with a deadline."""
    tasks, lines = Tasks(), Lines(answer)
    peer = Peer(cast("Child", lines), tasks)
    peer.allow(seconds)
    return peer, tasks, lines


def reply(message: dict[str, object], result: str = "{}") -> str:
    """An answer to a message."""
    return f'{{"jsonrpc":"2.0","id":"{message["id"]}","result":{result}}}'


def test_requests_are_served_after_a_blocking_answer() -> None:
    """Requests are served in order."""
    server = Server()
    peer, _, _ = peer_of(lambda message: ['{"method":"log"}', '{"id":"a1","method":"files/read"}', reply(message)])
    peer.serve = server.serve

    async def steps() -> list[str | None]:
        peer.ask_now(IDLE, EMPTY)
        before = list(server.asked)
        await peer.ask(PING, EMPTY)
        return before

    assert peer.run(steps(), lambda: False) == []
    assert server.asked == ["log", "files/read"] * 2
    assert peer.heard


def test_an_answer_is_taken_after_the_messages_before_it() -> None:
    """A blocking request takes its own answer only: an earlier event precedes another answer."""
    server = Server()
    before = ['{"method":"run/event"}', '{"id":"h1","result":{}}']
    peer, _, _ = peer_of(lambda message: [*before, reply(message)] if message["id"] == "h2" else [])
    peer.serve = server.serve

    async def steps() -> tuple[list[str | None], list[str | None]]:
        run = peer.begin(END, EMPTY)
        peer.ask_now(IDLE, EMPTY)
        earlier = list(server.asked)
        await run
        return earlier, server.asked

    assert peer.run(steps(), lambda: False) == ([], ["run/event"])


def test_an_unanswered_nested_request_exceeds_the_deadline() -> None:
    """A double that replaces the exception does not change the result."""
    peer, tasks, _ = peer_of(lambda message: [])

    async def double() -> None:
        try:
            peer.ask_now(IDLE, EMPTY)
        except BaseException as error:
            raise ValueError("swallowed") from error

    async def steps() -> None:
        tasks.start(double())
        await peer.begin(END, EMPTY)

    with pytest.raises(DeadlinePassed):
        peer.run(steps(), lambda: False)
    assert peer.awaited() == "case/end, idle"
    tasks.clear()


def test_an_adapter_may_not_write_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit applies to each case."""
    monkeypatch.setattr(module, "_MOST", 200)
    peer, _, _ = peer_of(lambda message: [reply(message, f'{{"unknown":"{"x" * 100}"}}')])

    assert peer.ask_now(PING, EMPTY) == EMPTY
    peer.forget()
    assert peer.ask_now(PING, EMPTY) == EMPTY
    with pytest.raises(AdapterError, match=r"^the adapter wrote more than 200 bytes in one case: write less$"):
        peer.ask_now(PING, EMPTY)


def test_a_broken_connection_stays_broken() -> None:
    """Each later request raises the same error."""
    peer, tasks, lines = peer_of(lambda message: ["[]"])

    async def steps() -> None:
        await peer.ask(PING, EMPTY)

    with pytest.raises(AdapterError, match="printed"):
        peer.run(steps(), lambda: False)
    lines.waiting.append(b"{}")
    with pytest.raises(AdapterError, match="printed"):
        peer.run(steps(), lambda: False)
    tasks.clear()


@pytest.mark.parametrize("late", ["h1", "h2"])
def test_a_late_message_for_an_earlier_case_is_ignored(late: str) -> None:
    """A second answer, and an answer to a cancelled request, are ignored."""
    peer, _, lines = peer_of(lambda message: [reply(message)] if message["id"] != "h2" else [])
    peer.ask_now(PING, EMPTY)
    peer.begin(END, EMPTY)
    assert peer.let_go() == ("h2",)
    peer.forget()

    lines.waiting.append(reply({"id": late}).encode())

    peer.ask_now(PING, EMPTY)
    assert peer.transcript().splitlines()[1:] == [f"< {reply({'id': id_})}" for id_ in (late, "h3")]


def test_the_end_of_an_adapter_is_raised_in_each_task() -> None:
    """The error reaches a task that did not cause it."""
    peer, tasks, lines = peer_of(lambda message: [])

    def gone(timeout: float) -> bytes | None:
        raise Ended

    lines.receive = gone  # type: ignore[method-assign]  # a child of another kind

    async def steps() -> None:
        await tasks.together([peer.ask(PING, EMPTY)])

    with pytest.raises(Ended):
        peer.run(steps(), lambda: False)
    tasks.clear()


# -- coroutines ------------------------------------------------------------------------------------------------------


def test_the_first_error_is_raised_after_all_coroutines_ended() -> None:
    """The other coroutines end first."""
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
        together.result()


def test_a_task_is_cancelled_where_it_waits() -> None:
    """A cancelled task may clean up and wait."""
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
    tasks.move()
    assert seen == []
    tasks.cancel(task)
    tasks.move()
    assert (seen, task.ended, len(tasks.held)) == (["cancelled"], False, 1)
    tasks.clear()
    tasks.cancel(task)
    assert (task.ended, tasks.held) == (True, set())


def test_a_task_that_fails_while_it_is_cancelled_is_dropped() -> None:
    """An error of the cancelled task is ignored."""
    tasks = Tasks()

    async def fails() -> None:
        try:
            await tasks.place()
        finally:
            raise ValueError("on the way out")

    tasks.start(fails())
    tasks.move()
    tasks.clear()

    assert tasks.held == set()


def test_ctrl_c_in_a_task_is_not_its_outcome() -> None:
    """The exception is raised to the caller."""
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
