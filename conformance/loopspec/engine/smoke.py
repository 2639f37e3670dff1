"""The smoke cases, which show whether an adapter works: the simplest of each role, and one for each capability."""

from __future__ import annotations

from types import MappingProxyType

from ..contract.axes import Posture, Postures, dialect_of
from ..contract.capabilities import Capability
from ..contract.dialects import instruction_axes
from ..contract.roles import ROLES, Role
from ..contract.target import Identity
from ..specification.cases import Case
from ..specification.features import cases_of_rule, compiled
from ..specification.ledger import NORMATIVE
from ..targets.resolve import AbsentTarget
from .judge import applies

# The axes whose values have the smoke cases of the role workspace: which files are loaded, and in which order.
_AXES = ("walk", "names", "order", "global-file")

# The capabilities that a smoke case may need: what handlers and middlewares are mostly used for. A case of a hook that
# an adapter does not declare would blame the implementation for it.
_HOOKS: frozenset[Capability] = frozenset(
    {
        "after-model-hooks",
        "before-model-edits",
        "before-model-hooks",
        "model-wrappers",
        "several-handlers",
        "tool-wrappers",
    }
)
# A case of it reads three times 1,000 files, and no author declares it.
_COSTLY: frozenset[Capability] = frozenset({"resources"})


def smoke_rules(role: Role, postures: Postures) -> tuple[str, ...]:
    """The rules of the smoke cases; in the role workspace, those of the values that the target's dialect has."""
    if role != "workspace":
        return ROLES[role].smoke
    known, of = dialect_of(postures), instruction_axes()
    return tuple(of[axis].values[value].rule for axis in _AXES if (value := known.value(axis)) in of[axis].values)


def smoke_cases(
    role: Role,
    capabilities: frozenset[Capability],
    postures: Postures = MappingProxyType[str, Posture]({}),
) -> list[Case]:
    """The smoke cases for a role, these capabilities and these postures.

    A declared capability that no simple case needs adds a case: a normative one with few other capabilities.
    """
    hooked = _able(role, *capabilities & _HOOKS, postures=postures)
    rules = smoke_rules(role, postures)
    judged = ([case for case in cases_of_rule(rule) if applies(case, hooked)] for rule in rules)
    cases = [first for first, *_ in filter(None, judged)]
    able = _able(role, *capabilities, postures=postures)
    others = [case for case in compiled() if case.needs and applies(case, able)]
    others.sort(key=lambda case: (case.basis not in NORMATIVE, len(case.needs)))
    for capability in sorted(capabilities - _COSTLY):
        if not any(capability in case.needs for case in cases):
            cases += [case for case in others if capability in case.needs][:1]
    return cases


def _able(
    role: Role, *capabilities: Capability, postures: Postures = MappingProxyType[str, Posture]({})
) -> AbsentTarget:
    """A target with this role, these capabilities and these postures only."""
    return AbsentTarget(Identity(name="able"), (role,), capabilities, postures)
