"""When: loads, hooks, runs and reads."""

from __future__ import annotations

from loopspec.contract.scene import Ask, ReadRequest, Write

from ..builders.scene import SceneBuilder
from ..cells import file_of
from ..phrasebook import when


@when("the instructions are loaded")
def instructions_are_loaded(scene_builder: SceneBuilder) -> None:
    """The configured files are loaded once."""
    scene_builder.act = "load"


@when("the AgentsMD middleware is created")
def handler_is_created(scene_builder: SceneBuilder) -> None:
    """The handler is created, and no hook is called."""
    scene_builder.act = "create"


@when("the hook is called {times:Times} outside a run")
def hook_is_called(scene_builder: SceneBuilder, times: int) -> None:
    """The before-model hook is called directly, each time with the conversation."""
    scene_builder.act = "hook"
    scene_builder.times = times


@when("the agent runs")
def agent_runs(scene_builder: SceneBuilder) -> None:
    """The agent runs once."""
    _run(scene_builder, 1)


@when("the agent runs twice")
def agent_runs_twice(scene_builder: SceneBuilder) -> None:
    """The agent runs twice, one run after the other."""
    _run(scene_builder, 2)


@when("the agent runs {count:Times} concurrently")
def agent_runs_at_once(scene_builder: SceneBuilder, count: int) -> None:
    """The agent has several runs at the same time. Needs the capability concurrent-runs."""
    _run(scene_builder, count, together=True)


@when("the agent runs, is interrupted and is resumed")
def agent_runs_and_resumes(scene_builder: SceneBuilder) -> None:
    """Run 1 ends in an interrupt.

    Run 2 continues from its checkpoint, in an agent that is built again. Needs the capability interrupt.
    """
    scene_builder.act = "run"
    scene_builder.add_run()
    scene_builder.add_run(messages=(), resume="1")


def _run(scene_builder: SceneBuilder, count: int, together: bool = False) -> None:
    scene_builder.act = "run"
    for number in range(count):
        scene_builder.add_run(together=together and number > 0)


@when('"{path}" is read from the backend')
def one_is_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of a whole file."""
    _ask(scene_builder, ReadRequest(file_path=path))


@when('{count:d} lines of "{path}" are read from the backend, from line {first:d}')
def lines_are_read(scene_builder: SceneBuilder, count: int, path: str, first: int) -> None:
    """One read of some lines. Needs the capability line-ranges, unless the lines are the whole file."""
    _ask(scene_builder, ReadRequest(file_path=path, offset=first, limit=count))


@when("the stored files are read from the backend {times:Times} each, concurrently")
def all_are_read(scene_builder: SceneBuilder, times: int) -> None:
    """Many reads at the same time."""
    _ask(scene_builder, *(ReadRequest(file_path=path) for path in scene_builder.stored for _ in range(times)))


@when('the stored files and "{path}" are read from the backend concurrently')
def all_and_one_are_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of each file, at the same time."""
    _ask(scene_builder, *(ReadRequest(file_path=name) for name in [*scene_builder.stored, path]))


@when('"{path}" is read from the backend, changed to "{content}" and read again')
def read_changed_read(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """Two reads with a change of the file between them. Needs the capability edits."""
    _ask_between(scene_builder, path, content)


@when('"{path}" is read from the backend, changed to "{content}", then to "{last}", and read after each')
def read_changed_twice(scene_builder: SceneBuilder, path: str, content: str, last: str) -> None:
    """Three reads with changes of the file between them. Needs the capability edits."""
    _ask_between(scene_builder, path, content, last)


@when('a loader loads "{path}" from the backend')
def loader_loads(scene_builder: SceneBuilder, path: str) -> None:
    """The reference's loader loads the file and its imports through the backend under test."""
    scene_builder.act = "load through"
    scene_builder.configure(path)


def _ask(scene_builder: SceneBuilder, *requests: ReadRequest) -> None:
    scene_builder.act = "read"
    scene_builder.backend.append(Ask(requests=requests))


def _ask_between(scene_builder: SceneBuilder, path: str, *contents: str) -> None:
    _ask(scene_builder, ReadRequest(file_path=path))
    for content in contents:
        scene_builder.backend.append(Write(path=path, file=file_of(content)))
        _ask(scene_builder, ReadRequest(file_path=path))
