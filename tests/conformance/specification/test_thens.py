"""What the Thens of the features are worth: none is content with anything, and no scenario with nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from msgspec.structs import replace

from loopspec.contract.agents import Agent, Hook, Legacy, Plugin, Summarization
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation, RunEnd
from loopspec.contract.scene import Scene
from loopspec.engine.judge import look, role_for
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Reference
from loopspec_steps import BOOK, Check

KINDS = (*get_args(Hook), "model", "tool", "callback model", "callback tool", "input")
# Phrases that only say what does not happen. A scenario made of nothing else shows less than one with a positive end.
NEGATIVE = {"the middleware is created", "no warning is given", "no file is read", '"{path}" is not read'}


@pytest.fixture(scope="module")
def seen() -> Iterator[list[Observation]]:
    """What the reference does, case by case."""
    target = PythonTarget(Reference, "reference")
    found = []
    for case in compiled():
        role, _ = role_for(case, target)
        assert role is not None
        found.append(perform(target, case.scene, role))
    yield found
    target.close()


def _agrees(check: Check, seen: Observation) -> bool:
    try:
        check(seen)
    except Mismatch:
        return False
    return True


def test_no_then_is_content_with_everything(seen: list[Observation]) -> None:
    """Of what the reference does in all the other scenarios, each by itself and all together, each refuses some."""
    everything = replace(
        Observation(),
        **{
            name: tuple(entry for one in seen for entry in getattr(one, name))
            for name in Observation.__struct_fields__
            if name != "created"
        },
    )
    checks: dict[str, list[Check]] = {}
    for case in compiled():
        for step, check in case.checks:
            checks.setdefault(BOOK.match("then", step.text).phrase.sentence, []).append(check)

    content = [
        sentence
        for sentence, its in checks.items()
        if all(_agrees(check, other) for check in its for other in (*seen, everything))
    ]

    assert content == []


def _silence(case: Case) -> Observation:
    return Observation(runs=tuple(RunEnd(n=n, run=run.id) for n, run in enumerate(case.scene.runs)))


def test_no_scenario_is_content_with_nothing() -> None:
    """Where it says more than what does not happen."""
    content = [case for case in compiled() if look(case, Observation()).verdict == "passed"]

    assert [case.id for case in content if _said(case) - NEGATIVE] == []


def test_no_scenario_of_the_loop_is_content_with_silence() -> None:
    """All its runs end well, and nothing was done in them."""
    assert [
        case.id
        for case in compiled()
        if case.file.startswith("agent/") and look(case, _silence(case)).verdict == "passed"
    ] == []


def _said(case: Case) -> set[str]:
    return {BOOK.match("then", step.text).phrase.sentence for step, _ in case.checks}


def test_whoever_never_does_a_thing_is_in_the_scene() -> None:
    """Nobody else ever does anything: with a slip of the pen in it, a sentence with `never` would always be true."""
    strangers = []
    for case in compiled():
        cast = {*_names(case.scene.agent), *_made(case.scene), "start", "end"}  # of a callback
        for step, _ in case.checks:
            match = BOOK.match("then", step.text)
            if "never" in match.phrase.sentence:
                strangers += [(case.id, name) for name in map(_name, match.holes.items()) if name not in cast]

    assert strangers == []


def _name(hole: tuple[str, object]) -> str:
    """Whom a hole of such a sentence names; of a hook it is enough that there is one."""
    kind, text = hole[0], str(hole[1])
    if kind == "hook":
        return "start" if text in KINDS else text
    found = next((kind for kind in KINDS if text.startswith(f"{kind} ")), "")
    return text.removeprefix(f"{found} ")


def _made(scene: Scene) -> set[str]:
    """The middlewares that strategies make, by their nodes, and what they bring."""
    made = [one.makes for module in scene.modules for one in module.strategies if one.makes]
    keys = {node.key for node in (scene.workflow.nodes if scene.workflow else ())}
    below = {f"{tool.name}'s {key}" for tool in scene.agent.tools if tool.agent for key in keys}
    return {*keys, *below, *_names(Agent(handlers=tuple(made)))}


def _names(agent: Agent) -> set[str]:
    """The models, tools and handlers of an agent, and of those below it."""
    bringing: list[Legacy | Plugin] = [*agent.legacy, *(one for one in agent.handlers if isinstance(one, Plugin))]
    tools = (*agent.tools, *agent.additional_tools, *(tool for one in bringing for tool in one.tools))
    writers = [one.model for one in agent.handlers if isinstance(one, Summarization)]
    models = [*(model for model in (agent.model, *writers) if model), *agent.additional_models]
    models += agent.failover.models if agent.failover else ()
    below = [_names(tool.agent) for tool in tools if tool.agent]
    others = (*agent.handlers, *agent.legacy, *agent.tool_middlewares)
    return set().union({one.name for one in (*tools, *models, *others)}, *below)
