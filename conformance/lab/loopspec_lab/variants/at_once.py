"""Variants that are several others at once: what is wrong only where two conditions meet shows nowhere else.

A case has the parts that apply to it, each after the ones before it; a target is judged by those that it can perform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from functools import partial

from msgspec.structs import replace

from loopspec.contract.actions import GetLocal, Script, SetLocal
from loopspec.contract.agents import Scripted
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.engine.judge import another_posture
from loopspec.specification.cases import Case

from . import (
    emptiness,
    files,
    handlers,
    identity,
    kinds,
    loads,
    modes,
    padding,
    resumption,
    rounds,
    runs,
    values,
    writing,
)
from .facts import Facts
from .file_facts import ROLES, configs, with_configs
from .restoring import without_run
from .restoring_files import without_file
from .variant import Variant, Varied, VariedCase, in_turn, is_applied

_FALSE = "a false value"
_OTHER_RUNS = ("0.before", "0.alongside")  # the ids of added runs
_MISSING = "/unrelated/missing.md"


# -- parts that are no variants of their own ---------------------------------------------------------------------------


def _with_a_reader(scene: Scene) -> Varied:
    """The scene with a last handler that sets, in each hook, a run-local value that is false, and reads it."""
    actions = (SetLocal(key=_FALSE, value=0), GetLocal(key=_FALSE))
    scripts = tuple([Script(hook=hook, actions=actions) for hook in handlers.HOOKS])
    return handlers.with_handler(
        scene, "reading", lambda name, agent: Scripted(name=name, scripts=scripts), handlers.last
    )


def _with_a_missing_file(scene: Scene) -> Varied:
    """The scene whose first configured file is missing."""
    varied = with_configs(scene, lambda config: replace(config, files=(_MISSING, *(config.files or ()))))
    return Varied(varied, (without_file(_MISSING, ""),))


def _between_other_runs(scene: Scene) -> Varied:
    """The scene with two runs that begin as the first one does: before it, and at the same time as the second one."""
    first, second, *others = scene.runs
    before, alongside = replace(first, id=_OTHER_RUNS[0]), replace(first, id=_OTHER_RUNS[1], together=True)
    return Varied(replace(scene, runs=(before, first, second, alongside, *others)), (*map(without_run, _OTHER_RUNS),))


def _continues_a_run(facts: Facts) -> bool:
    """Whether the second run resumes the first one, which a variant interrupts before the scene begins."""
    parts = facts.scene.runs[:2]
    return runs.waits_for_nothing(facts) and parts[0].part == "interrupted" and parts[-1].resume == parts[0].id


# -- the parts of a case -----------------------------------------------------------------------------------------------


def parts_in(case: Case, variant: Variant) -> Variant | None:
    """The variant with the parts that apply in a case; None if they are fewer than two, or lack the required one."""
    scene, made = case.scene, list[Variant]()
    required = variant.required
    for one in variant.parts:
        if _can_follow(one, case, scene):
            varied = one.vary(scene).scene
            if required is None or required in (one, *made) or _can_follow(required, case, varied):
                made.append(one)
                scene = varied
    return with_parts(variant, made) if len(made) > 1 and required in (None, *made) else None


def able_parts(case: VariedCase, target: Target) -> VariedCase:
    """The case with the parts that a target has the capabilities for, and whose postures are not others than its own.

    Without any, the scene is the plain one.
    """
    facts = Facts(case.base.scene)
    able = [
        one
        for one in case.variant.parts
        if one.needs | one.needs_in(facts) <= target.capabilities and not another_posture(one.postures, target)
    ]
    variant = with_parts(case.variant, able)
    return changed(case, variant=variant, load=lambda: variant.vary(case.base.scene).act(case.base))


def _can_follow(one: Variant, case: Case, scene: Scene) -> bool:
    """Whether a part applies to the scene that the parts before it have made of the case."""
    return is_applied(one, case, Facts(scene)) and not one.exemption(case)


def with_parts(variant: Variant, parts: Sequence[Variant]) -> Variant:
    """The variant with these parts, in order."""
    return changed(variant, parts=tuple(parts), vary=partial(in_turn, parts))


# -- the variants ------------------------------------------------------------------------------------------------------

_OWN = (
    Variant(
        "reading-handler",
        lambda facts: facts.is_plain_run,
        _with_a_reader,
        needs=handlers.ALL_HOOKS | {"run-values"},
        postures=handlers.SEPARATE,
    ),
    Variant(
        "missing-file-first",
        lambda facts: files.loads_something(facts) and all(one.callback for one in configs(facts.scene)),
        _with_a_missing_file,
        roles=ROLES,
    ),
    Variant(
        "interrupted-afterwards",
        rounds.may_be_interrupted,
        rounds.interrupted_afterwards,
        needs=frozenset({"agent-tool", "interrupt"}),
        exempt=rounds.LANGUAGES,
        postures={"tool-failure": "ends", "message-events": "as-they-happen"},
    ),
    Variant(
        "between-other-runs",
        _continues_a_run,
        _between_other_runs,
        roles=("agent", "plugins", "loader"),
        needs=frozenset({"concurrent-runs"}),
    ),
)
_MODULES = (
    *(emptiness, files, handlers, identity, kinds, loads, modes),
    *(padding, resumption, rounds, runs, values, writing),
)
_PARTS: dict[str, Variant] = {
    one.name: one for variants in (_OWN, *(each.VARIANTS for each in _MODULES)) for one in variants
}


def _at_once(name: str, before: str, required: str = "", after: str = "") -> Variant:
    """The variant of these parts, in order."""
    parts = tuple([_PARTS[one] for one in f"{before} {required} {after}".split()])
    core = _PARTS[required] if required else None
    return Variant(
        name,
        core.applies if core else lambda facts: True,
        Varied,
        roles=core.roles if core else parts[0].roles,
        needs=core.needs if core else frozenset(),
        postures=core.postures if core else {},
        judged_in=core.judged_in if core else None,
        parts=parts,
        required=core,
    )


_INERT = "inert-handler-first inert-middleware-first inert-handler-last"
_READING = "inert-handler-first inert-middleware-first reading-handler"
_FILES = "missing-file-first unrelated-file-first"

VARIANTS = (
    _at_once(
        "documented-at-once",
        "long-texts streaming streaming-tools same-call-ids equal-exchange-before inert-handler-first",
        after="inert-handler-last after-two-rounds run-before",
    ),
    _at_once(
        "late-at-once",
        f"non-ascii-texts long-texts false-values streaming {_READING}",
        "late-in-an-outer-agent",
        "enhanced-tools sequential-tools between-other-runs missing-file-first",
    ),
    _at_once(
        "late-synchronous-at-once",
        f"non-ascii-texts long-texts false-values agentic {_READING}",
        "late-in-an-outer-agent",
        "streaming-tools sequential-tools between-other-runs missing-file-first",
    ),
    _at_once(
        "resumed-at-once",
        f"empty-texts false-values agentic sequential-tools streaming {_READING}",
        "after-an-interrupt",
        "run-before missing-file-first",
    ),
    _at_once(
        "interrupted-at-once",
        f"non-ascii-texts long-texts agentic sequential-tools streaming {_READING}",
        "interrupted-afterwards",
        "enhanced-tools",
    ),
    _at_once("repeated-at-once", f"non-ascii-texts long-texts agentic streaming {_INERT}", "interrupting-tools"),
    _at_once(
        "agentic-at-once",
        f"empty-texts false-values agentic sequential-tools streaming enhanced-tools {_READING}",
        after="run-together run-before missing-file-first",
    ),
    _at_once("loaded-at-once", f"non-ascii-texts long-texts {_FILES}", "loaded-twice"),
    _at_once(
        "loaded-late-at-once",
        f"non-ascii-texts long-texts {_FILES}",
        "loaded-in-a-sub-agent",
        "between-other-runs",
    ),
)
