"""The smoke cases, which show whether an adapter works: the simplest of each role, and one for each promised method."""

from __future__ import annotations

from types import MappingProxyType

from ..contract.axes import Posture, Postures, dialect_of
from ..contract.capabilities import Capability, Role
from ..contract.dialects import instruction_axes
from ..contract.target import Identity
from ..specification.cases import Case
from ..specification.features import cases_of_rule, compiled
from ..targets.absent import AbsentTarget
from ..targets.declared import ADAPTER_METHODS, BACKEND_METHODS
from .judge import role_for

# Rules whose first case needs no capability, or capabilities of `_HOOKS` only. The advisory ones of the agent and the
# plugins end with errors of a model and of the implementation, which an adapter easily forgets to report.
RULES: dict[Role, tuple[str, ...]] = {
    "backend": ("AMD-BACKEND-12", "AMD-BACKEND-05"),
    "loader": ("AMD-IMPORT-23", "AMD-ERROR-01", "AMD-IMPORT-01", "AMD-ORDER-12"),
    "middleware": ("AMD-IMPORT-23", "AMD-INJECT-03", "AMD-CFG-03"),
    "agent": ("LOOP-09", "LOOP-03", "HOOK-BM-07", "HOOK-WT-02", "LOOP-16", "TOOLS-04"),
    "handler": ("HANDLER-03", "HANDLER-16"),
    "plugins": ("XP-WRAP-01", "XP-HOOK-03", "XP-TOOLS-01", "PLUGIN-12"),
}
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


def smoke_rules(role: Role, postures: Postures) -> tuple[str, ...]:
    """The rules of the smoke cases; in the role workspace, those of the values that the target's dialect has."""
    if role != "workspace":
        return RULES[role]
    known, of = dialect_of(postures), instruction_axes()
    return tuple(of[axis].values[value].rule for axis in _AXES if (value := known.value(axis)) in of[axis].values)


def smoke_cases(
    role: Role,
    capabilities: frozenset[Capability],
    postures: Postures = MappingProxyType[str, Posture]({}),
) -> list[Case]:
    """The smoke cases for a role, these capabilities and these postures.

    A capability with a promised method adds a case.
    """
    hooked = _able(role, *capabilities & _HOOKS, postures=postures)
    rules = smoke_rules(role, postures)
    judged = ([case for case in cases_of_rule(rule) if role_for(case, hooked)[0]] for rule in rules)
    cases = [first for first, *_ in filter(None, judged)]
    for capability in sorted(capabilities & (BACKEND_METHODS.keys() | ADAPTER_METHODS.keys())):
        able = _able(role, capability)
        cases += [case for case in compiled() if capability in case.needs and role_for(case, able)[0]][:1]
    return cases


def _able(
    role: Role, *capabilities: Capability, postures: Postures = MappingProxyType[str, Posture]({})
) -> AbsentTarget:
    """A target with this role, these capabilities and these postures only."""
    return AbsentTarget(Identity(name="able"), (role,), capabilities, postures)
