"""Which capabilities the cases need: each one of the published list, and a hook without its edits."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.specification.features import compiled
from loopspec_lab.variants.expanding import variants


def test_every_capability_is_needed() -> None:
    """Each capability is needed by a case, or by the cases of a variant."""
    needed = {need for case in compiled() for need in case.needs}
    varied = {need for variant in variants().values() for need in variant.needs}

    assert needed | varied == CAPABILITIES.keys()
    assert CAPABILITIES.keys() - needed == {"falsy-objects"}


# a capability, and another that a case needs in addition or not
APART: list[tuple[Capability, Capability]] = [
    ("before-agent-hooks", "before-agent-edits"),
    ("before-model-hooks", "before-model-edits"),
    ("after-model-hooks", "after-model-edits"),
    ("after-agent-hooks", "after-agent-edits"),
    ("before-model-hooks", "tools-from-hooks"),
    ("tools-from-hooks", "before-model-edits"),
    ("before-model-edits", "tools-from-hooks"),
    ("model-wrappers", "repeated-inner-calls"),
    ("tool-wrappers", "repeated-inner-calls"),
    ("tool-wrappers", "tool-options"),
    ("streaming", "streaming-tools"),
    ("streaming-tools", "streaming"),
    ("missing-results", "before-model-hooks"),
    ("incomplete-tools", "before-model-hooks"),
    ("raw-arguments", "tool-wrappers"),
    *((hook, "several-handlers") for hook in (
        "before-agent-hooks", "before-model-hooks", "after-model-hooks", "after-agent-hooks",
        "model-wrappers", "tool-wrappers",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("capability", "other"), APART)
def test_a_capability_is_judged_without_the_other(capability: Capability, other: Capability) -> None:
    """A target that has only the first is still judged on it; some case needs both or the other alone."""
    needs = [case.needs for case in compiled()]

    assert any(capability in needed and other not in needed for needed in needs)
    assert any(other in needed for needed in needs)


@pytest.mark.parametrize("hook", ["before-agent", "before-model", "after-model", "after-agent"])
def test_an_edit_needs_its_hook(hook: str) -> None:
    """No case needs an edit of a hook without the hook."""
    needs = [case.needs for case in compiled()]

    assert [need for need in needs if f"{hook}-edits" in need and f"{hook}-hooks" not in need] == []


# The capabilities of a loop whose handlers only observe, one for each hook.
OBSERVING: tuple[Capability, ...] = (
    "before-agent-hooks", "before-model-hooks", "after-model-hooks", "after-agent-hooks", "model-wrappers",
    "tool-wrappers",
)  # fmt: skip


@pytest.mark.parametrize(
    ("capabilities", "least"),
    [
        ((), 25),
        (OBSERVING, 50),
        ((*OBSERVING, "several-handlers"), 60),
        ((*OBSERVING, "several-handlers", "before-model-edits", "after-model-edits"), 70),
    ],
)
def test_a_small_loop_is_judged_by_many_normative_rules(capabilities: tuple[Capability, ...], least: int) -> None:
    """The finer capabilities leave enough to judge for an agent that has little else."""
    judged = {
        rule
        for case in compiled()
        if "agent" in case.roles and case.rule.basis != "clarified" and case.needs <= set(capabilities)
        for rule in case.rule.ids
    }

    assert len(judged) >= least
