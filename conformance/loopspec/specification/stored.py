"""Compiled features as plain data, and their cases.

A case is stored as its Scene and, for each Then, the id of its phrase with the values of its holes. No code is stored:
phrases are looked up when the case is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Raw, Struct

from ..contract.capabilities import Capability
from ..contract.roles import Role
from ..contract.scene import Scene
from ..contract.values import Json
from .cases import Act, Case, CaseBasis, Rule, Step


class StoredCheck(Struct, frozen=True, array_like=True):
    """A Then: the index of its step, the index of its phrase in `StoredFeature.phrases`, and the hole values."""

    step: int
    phrase: int
    arguments: dict[str, Json]


class StoredCase(Struct, frozen=True, array_like=True):
    """A case. `rule` is the index of its rule; `scene` and `checks` stay undecoded until they are needed."""

    rule: int
    title: str
    template: str
    row: tuple[str, ...]
    line: int
    steps: tuple[Step, ...]
    roles: tuple[Role, ...]
    needs: frozenset[Capability]
    scene: Raw
    checks: Raw
    postures: dict[str, str]


class StoredRule(Struct, frozen=True, array_like=True):
    """A rule of a feature."""

    ids: tuple[str, ...]
    basis: CaseBasis
    sentence: str
    description: str
    line: int


class StoredFeature(Struct, frozen=True, array_like=True):
    """A feature file; `text` is the digest of its source."""

    text: str
    title: str
    phrases: tuple[str, ...]
    rules: tuple[StoredRule, ...]
    cases: tuple[StoredCase, ...]


_scene = msgspec.json.Decoder(Scene)
_checks = msgspec.json.Decoder(tuple[StoredCheck, ...])


def cases_of(file: str, feature: StoredFeature) -> Iterator[Case]:
    """The cases of a stored feature, in the order of its lines. `file` is its path relative to the features."""
    rules = [
        Rule(rule.ids, rule.basis, rule.sentence, rule.description, feature.title, file, rule.line)
        for rule in feature.rules
    ]
    for stored in feature.cases:
        rule = rules[stored.rule]
        yield Case(
            id=f"{rule.ids[0]} :: {stored.title}",  # `case_id`, without a call for each of thousands
            rule=rule,
            title=stored.title,
            template=stored.template,
            row=stored.row,
            line=stored.line,
            steps=stored.steps,
            roles=stored.roles,
            needs=stored.needs,
            postures=stored.postures,
            load=partial(_loaded, stored, feature.phrases),
        )


def case_id(rule: str, title: str) -> str:
    """The name of a case in reports and baselines."""
    return f"{rule} :: {title}"


def _loaded(stored: StoredCase, phrases: tuple[str, ...]) -> Act:
    from loopspec_steps import BOOK, Check  # only a judged case needs the phrases

    scene = _scene.decode(stored.scene)
    checks = tuple(
        (stored.steps[check.step], Check(BOOK.by_id(phrases[check.phrase]), check.arguments, scene))
        for check in _checks.decode(stored.checks)
    )
    return Act(scene, checks)
