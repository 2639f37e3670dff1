"""The driver of doubles over a pipe: coroutines that run until they wait, in one thread, without an event loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Coroutine, Generator, Iterable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class CallCancelled(BaseException):
    """Thrown into a double whose call is cancelled. Not an `Exception`, so that scripts do not catch it by mistake."""


class Place(Generic[T]):
    """A place where a task waits for a value."""

    def __init__(self, tasks: Tasks, held: bool = False) -> None:
        self._tasks = tasks
        self._held = held
        self._done = False
        self._value: Any = None  # Any: None until there is a T
        self._error: BaseException | None = None
        self.waiter: Task[Any] | None = None

    def __await__(self) -> Generator[Any, None, T]:  # Any: used by `Tasks` only
        if not self._done:
            if self._held:
                self._tasks.held.add(self)
            try:
                yield self
            finally:
                self._tasks.held.discard(self)
                self.waiter = None
        return self.result()

    def result(self) -> T:
        """Return the value, or raise the error, of a place that is done."""
        assert self._done, "a place that is not done has no result"
        if self._error is not None:
            raise self._error
        value: T = self._value
        return value

    def done(self) -> bool:
        """Whether there is a value or an error."""
        return self._done

    def set_result(self, result: T, /) -> None:
        """Let the waiting task continue."""
        self._end(result, None)

    def set_exception(self, exception: BaseException, /) -> None:
        """Raise an error in the waiting task."""
        self._end(None, exception)

    def _end(self, result: T | None, error: BaseException | None) -> None:
        if not self._done:
            self._done, self._value, self._error = True, result, error
            if self.waiter is not None:
                self._tasks.ready(self.waiter)


class Task(Place[T]):
    """A running coroutine in its own context, and the place of its result."""

    def __init__(self, tasks: Tasks, coroutine: Coroutine[Any, Any, T]) -> None:  # Any: used by `Tasks` only
        super().__init__(tasks)
        self.coroutine = coroutine
        self.context = copy_context()
        self.place: Place[Any] | None = None
        self.thrown: BaseException | None = None
        self.ended = False


class Tasks:
    """The tasks of a case. Tasks that are ready run one after another, each until it waits."""

    def __init__(self) -> None:
        self.held: set[Place[Any]] = set()
        self._ready: deque[Task[Any]] = deque()
        self._alive: set[Task[Any]] = set()

    def place(self) -> Place[None]:
        """Return a place for a double to wait in."""
        return Place(self, held=True)

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Task[T]:
        """Start a task in a copy of the current context."""
        task = Task(self, coroutine)
        self._alive.add(task)
        self._ready.append(task)
        return task

    async def together(self, coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Run coroutines concurrently and wait for all; then raise the first error."""
        tasks = [self.start(coroutine) for coroutine in coroutines]
        results, errors = [], []
        for task in tasks:
            try:
                results.append(await task)
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]
        return results

    def ready(self, task: Task[Any]) -> None:
        """Let a task continue."""
        task.place = None
        self._ready.append(task)

    def cancel(self, task: Task[Any]) -> None:
        """Throw `CallCancelled` into a task where it waits."""
        if task.ended or task.place is None:
            return
        task.place.waiter = None
        task.thrown = CallCancelled()
        self.ready(task)

    def move(self) -> None:
        """Run until all tasks wait."""
        while self._ready:
            self._step(self._ready.popleft())

    def _step(self, task: Task[Any]) -> None:
        thrown, task.thrown = task.thrown, None
        if task.ended:
            return
        try:
            if thrown is None:
                place = task.context.run(task.coroutine.send, None)
            else:
                place = task.context.run(task.coroutine.throw, thrown)
        except StopIteration as done:
            self._end(task)
            task.set_result(done.value)
        except (KeyboardInterrupt, SystemExit):
            self._end(task)
            raise
        except BaseException as error:
            self._end(task)
            task.set_exception(error)
        else:
            task.place = place
            place.waiter = task
            if place.done():
                self.ready(task)

    def _end(self, task: Task[Any]) -> None:
        task.ended = True
        self._alive.discard(task)

    def clear(self) -> None:
        """Close the remaining tasks, and ignore their errors."""
        for task in list(self._alive):
            self._end(task)
            with suppress(Exception):
                task.context.run(task.coroutine.close)
        self._ready.clear()
        self.held.clear()
