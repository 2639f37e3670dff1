"""The strength of the Thens: every check rejects some observation, and no scenario accepts an empty one.

All cases are performed once here, so the form of a scene and of an observation as JSON is judged here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from msgspec.json import decode, encode
from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.agents import Agent, Legacy, Plugin, Summarization
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation, RunEnd
from loopspec.contract.scene import Scene
from loopspec.engine.checking import look
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference
from loopspec_steps import BOOK, Check

from ..staging import dialect_for, role_of

KINDS = (*get_args(Hook), "model", "tool", "callback model", "callback tool", "input")
# Phrases that only say what does not happen. A scenario made of nothing else shows less than one with a positive end.
NEGATIVE = {"creating the middleware succeeds", "no warning is given", "no file is read", '"{path}" is not read'}


@pytest.fixture(scope="module")
def seen() -> Iterator[list[Observation]]:
    """The observation of the reference for each case, in a dialect that has the values of the case."""
    targets = {name: PythonTarget(Reference, "reference", name) for name in map(dialect_for, compiled())}
    found = []
    for case in compiled():
        target = targets[dialect_for(case)]
        found.append(perform(target, case.scene, role_of(case, target)))
    yield found
    for target in targets.values():
        target.close()


def test_a_scene_and_what_was_seen_survive_json(seen: list[Observation]) -> None:
    """A decoded Scene and a decoded Observation are equal to the first ones, and each observation passes its case."""
    unequal = [case.id for case in compiled() if decode(encode(case.scene), type=Scene) != case.scene]
    again = [decode(encode(each), type=Observation) for each in seen]
    judged = ((case, look(case, each).verdict) for case, each in zip(compiled(), again, strict=True))

    assert unequal == []
    assert again == seen
    # the reference has no posture
    assert [case.id for case, verdict in judged if verdict != "passed" and case.basis != "declared"] == []


def _agrees(check: Check, seen: Observation) -> bool:
    try:
        check(seen)
    except Mismatch:
        return False
    return True


def test_no_then_accepts_everything(seen: list[Observation]) -> None:
    """Each check rejects at least one of the other observations, or all of them combined."""
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

    accepting = [
        sentence
        for sentence, its in checks.items()
        if all(_agrees(check, other) for check in its for other in (*seen, everything))
    ]

    assert accepting == []


def _silence(case: Case) -> Observation:
    return Observation(runs=tuple(RunEnd(n=n, run=run.id) for n, run in enumerate(case.scene.runs)))


def test_no_scenario_accepts_an_empty_observation() -> None:
    """Scenarios that only deny are excepted."""
    accepting = [case for case in compiled() if look(case, Observation()).verdict == "passed"]

    assert [case.id for case in accepting if _said(case) - NEGATIVE] == []


def test_no_scenario_of_the_loop_accepts_runs_without_calls() -> None:
    """All runs end without an error and without any call."""
    assert [
        case.id
        for case in compiled()
        if case.file.startswith("agent/") and look(case, _silence(case)).verdict == "passed"
    ] == []


def _said(case: Case) -> set[str]:
    return {BOOK.match("then", step.text).phrase.sentence for step, _ in case.checks}


def test_a_name_in_a_sentence_with_never_is_in_the_scene() -> None:
    """Otherwise a misspelled name in a sentence with `never` would always pass."""
    unknown = []
    for case in compiled():
        cast = {*_names(case.scene.agent), *_made(case.scene), "start", "end"}  # names of a callback
        for step, _ in case.checks:
            match = BOOK.match("then", step.text)
            if "never" in match.phrase.sentence:
                unknown += [(case.id, name) for name in map(_name, match.holes.items()) if name not in cast]

    assert unknown == []


def _name(hole: tuple[str, object]) -> str:
    """The name in the hole of such a sentence; for a hook, any hook of the scene."""
    kind, text = hole[0], str(hole[1])
    if kind == "hook":
        return "start" if text in KINDS else text
    found = next((kind for kind in KINDS if text.startswith(f"{kind} ")), "")
    return text.removeprefix(f"{found} ")


def _made(scene: Scene) -> set[str]:
    """The middlewares that strategies make, by their nodes, and their tools."""
    made = [one.makes for module in scene.modules for one in module.strategies if one.makes]
    keys = {node.key for node in (scene.workflow.nodes if scene.workflow else ())}
    below = {f"{tool.name}'s {key}" for tool in scene.agent.tools if tool.agent for key in keys}
    return {*keys, *below, *_names(Agent(handlers=tuple(made)))}


def _names(agent: Agent) -> set[str]:
    """The models, tools and handlers of an agent and of its sub-agents."""
    bringing: list[Legacy | Plugin] = [*agent.legacy, *(one for one in agent.handlers if isinstance(one, Plugin))]
    tools = (*agent.tools, *agent.additional_tools, *(tool for one in bringing for tool in one.tools))
    writers = [one.model for one in agent.handlers if isinstance(one, Summarization)]
    models = [*(model for model in (agent.model, *writers) if model), *agent.additional_models]
    models += agent.failover.models if agent.failover else ()
    below = [_names(tool.agent) for tool in tools if tool.agent]
    others = (*agent.handlers, *agent.legacy, *agent.tool_middlewares)
    return set().union({one.name for one in (*tools, *models, *others)}, *below)
