"""When: loads, hooks, runs, actions outside a run, plugin modules and workspaces."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..given.parts import SCENE
from ..phrasebook import when
from ..templates import hole

TOGETHER = "together"  # of a run that begins with the one before it
SCENE.when("the instructions are loaded", "The configured files are loaded once.", act="load")
SCENE.when("the AgentsMD middleware is created", "The handler is created, and no hook is called.", act="create")
SCENE.when(
    "the hook is called {times:Times} outside a run",
    "The before-model hook is called directly, each time with the conversation.",
    act="hook",
    times=hole("times"),
)


@when("the agent runs {count:Times} concurrently")
def agent_runs_concurrently(scene_builder: SceneBuilder, count: int) -> None:
    """The agent has several runs at the same time. Needs the capability concurrent-runs."""
    agent_runs(scene_builder, (TOGETHER,) * (count - 1))


@when("the agent runs {count:Times} concurrently, and then once")
def agent_runs_concurrently_and_again(scene_builder: SceneBuilder, count: int) -> None:
    """The agent has several runs at the same time, and one more when they have ended. Needs concurrent-runs."""
    agent_runs(scene_builder, (*(TOGETHER,) * (count - 1), None))


# Runs of an agent: a sentence, its meaning, and of each run after the first one what it resumes, or TOGETHER.
RUNS: tuple[tuple[str, str, tuple[str | None, ...]], ...] = (
    (
        "the agent runs, is resumed, and is resumed again from the first stop",
        (
            "Run 2 and run 3 continue from the checkpoint of run 1, one after the other, in one agent that is built "
            "again. Needs the capability checkpoint-reuse."
        ),
        ("1", "1"),
    ),
    (
        "the agent runs, is resumed, and is resumed again from the new stop",
        "Run 2 continues from the checkpoint of run 1, and run 3 from the checkpoint of run 2.",
        ("1", "2"),
    ),
    ("the agent runs, is resumed, and runs once more", "Run 3 begins when the resumed run 2 has ended.", ("1", None)),
    (
        "the agent runs and is resumed",
        "Run 1 is interrupted or cancelled. Run 2 continues from its checkpoint, in an agent that is built again.",
        ("1",),
    ),
    (
        "the agent runs, is interrupted and is resumed",
        (
            "Run 1 ends in an interrupt. Run 2 continues from its checkpoint, in an agent that is built again. "
            "Needs the capability interrupt."
        ),
        ("1",),
    ),
    (
        "the agent runs, and is resumed while it runs once more",
        "Run 2 continues from the checkpoint of run 1, and run 3 begins at the same time. Needs concurrent-runs.",
        ("1", TOGETHER),
    ),
    (
        "the agent runs twice concurrently, and run 2 is resumed",
        "Two runs take place at the same time. Run 3 continues from the checkpoint of run 2. Needs concurrent-runs.",
        (TOGETHER, "2"),
    ),
    ("the agent runs twice and is resumed", "Run 3 continues from the checkpoint of run 2.", (None, "2")),
    ("the agent runs three times", "The agent runs three times, one run after the other.", (None, None)),
    ("the agent runs twice", "The agent runs twice, one run after the other.", (None,)),
    ("the agent runs", "The agent runs once.", ()),
)


def agent_runs(scene_builder: SceneBuilder, resumes: tuple[str | None, ...]) -> None:
    """The agent runs, and is resumed."""
    scene_builder.act = "run"
    for resume in (None, *resumes):
        together = resume == TOGETHER
        scene_builder.add_run(resume=None if together else resume, together=together)


for _sentence, _meaning, _resumes in RUNS:
    when(_sentence, meaning=_meaning, resumes=_resumes)(agent_runs)


SCENE.when(
    "setting, reading and deleting a run-local value are tried outside a run",
    "Run-local values are set, read and deleted outside any run.",
    act="outside",
    tried=("set", "get", "delete"),
)
SCENE.when(
    "sending an event is tried outside a run",
    "A custom event is sent outside any run.",
    act="outside",
    tried=("send event",),
)
SCENE.when(
    "the plugin modules are loaded",
    "All plugin modules are registered in order, and the registry lists its strategies.",
    act="look up",
)
SCENE.when(
    "the plugin modules are loaded and the providers {providers} are looked up",
    "All plugin modules are registered in order, and each provider is looked up in the registry.",
    act="look up",
    lookups=hole("providers"),
    one='the plugin modules are loaded and the provider "{providers}" is looked up',
)
SCENE.when(
    "the implementation's own strategies are listed",
    "The implementation lists the strategies that it includes.",
    act="catalog",
)
SCENE.when(
    "the tool reads the workspace",
    "The tool starts in the working directory, and a model receives what the tool reads.",
    act="read workspace",
)
