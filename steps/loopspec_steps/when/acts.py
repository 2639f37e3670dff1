"""When: the one act of a scenario."""

from __future__ import annotations

from loopspec.contract.scene import Ask, ReadRequest, Write

from ..builders.scene import Draft
from ..cells import file_of
from ..phrasebook import when


@when("the instructions are loaded")
def instructions_are_loaded(draft: Draft) -> None:
    """The configured files are loaded once."""
    draft.act = "load"


@when("the handler is created")
def handler_is_created(draft: Draft) -> None:
    """The handler is created, and nothing more."""
    draft.act = "create"


@when("the hook is called {times:Times} outside a run")
def hook_is_called(draft: Draft, times: int) -> None:
    """The hook before the model call is called directly, each time with the conversation."""
    draft.act = "hook"
    draft.times = times


@when("the agent runs")
def agent_runs(draft: Draft) -> None:
    """One run."""
    _run(draft, 1)


@when("the agent runs twice")
def agent_runs_twice(draft: Draft) -> None:
    """Two runs of one agent, one after the other."""
    _run(draft, 2)


@when("the agent runs {count:Times} at once")
def agent_runs_at_once(draft: Draft, count: int) -> None:
    """Several runs of one agent at the same time. Needs the capability concurrent-runs."""
    _run(draft, count, together=True)


@when("the agent runs, is interrupted and is resumed")
def agent_runs_and_resumes(draft: Draft) -> None:
    """Run 1 ends in an interrupt; run 2 goes on from its checkpoint, in an agent built anew. Needs interrupt."""
    draft.act = "run"
    draft.add_run()
    draft.add_run(messages=(), resume="1")


def _run(draft: Draft, count: int, together: bool = False) -> None:
    draft.act = "run"
    for number in range(count):
        draft.add_run(together=together and number > 0)


@when('"{path}" is read from the backend')
def one_is_read(draft: Draft, path: str) -> None:
    """One read of a whole file."""
    _ask(draft, ReadRequest(file_path=path))


@when('{count:d} lines of "{path}" are read from the backend, from line {first:d}')
def lines_are_read(draft: Draft, count: int, path: str, first: int) -> None:
    """One read of some lines. Needs the capability line-ranges, unless it asks for the whole file."""
    _ask(draft, ReadRequest(file_path=path, offset=first, limit=count))


@when("the stored files are read from the backend {times:Times} each, all at once")
def all_are_read(draft: Draft, times: int) -> None:
    """Many reads at the same time."""
    _ask(draft, *(ReadRequest(file_path=path) for path in draft.stored for _ in range(times)))


@when('the stored files and "{path}" are read from the backend, all at once')
def all_and_one_are_read(draft: Draft, path: str) -> None:
    """One read of each, at the same time."""
    _ask(draft, *(ReadRequest(file_path=name) for name in [*draft.stored, path]))


@when('"{path}" is read from the backend, changed to "{content}" and read again')
def read_changed_read(draft: Draft, path: str, content: str) -> None:
    """Two reads with a change between. Needs the capability edits."""
    _ask_between(draft, path, content)


@when('"{path}" is read from the backend, changed to "{content}", then to "{last}", and read after each')
def read_changed_twice(draft: Draft, path: str, content: str, last: str) -> None:
    """Three reads with changes between. Needs the capability edits."""
    _ask_between(draft, path, content, last)


@when('a loader loads "{path}" from the backend')
def loader_loads(draft: Draft, path: str) -> None:
    """The reference's loader loads the file, and what it imports, through the backend under test."""
    draft.act = "load through"
    draft.configure(path)


def _ask(draft: Draft, *requests: ReadRequest) -> None:
    draft.act = "read"
    draft.backend.append(Ask(requests=requests))


def _ask_between(draft: Draft, path: str, *contents: str) -> None:
    _ask(draft, ReadRequest(file_path=path))
    for content in contents:
        draft.backend.append(Write(path=path, file=file_of(content)))
        _ask(draft, ReadRequest(file_path=path))
