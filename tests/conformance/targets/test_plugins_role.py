"""The role of the plugin layer: a user's adapter, the rules that judge it, and its possible faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec import AdapterError, StrategyMeta
from loopspec.contract.plugins import Module, Strategy
from loopspec.contract.roles import ROLES
from loopspec.contract.scene import Scene
from loopspec.contract.specification import kits_root
from loopspec.contract.stage import Stage

from ..process import reported, run_loopspec
from ..staging import performed, target_of

MINE = """
class Registry:
    capabilities = ("registry",)

    async def perform_plugins(self, stage):
        strategies = [one for module in stage.scene.modules for one in module.strategies if one.decorated]
        if not all(one.meta.name and one.meta.label for one in strategies):
            stage.outcomes.build_failed(ValueError("a strategy without a name or a label"))
            return
        known = {one.provider: one.meta for one in strategies}
        for provider in known:
            stage.outcomes.registered(provider, known[provider])
        for provider in stage.scene.lookups:
            if provider in known:
                stage.outcomes.looked_up(provider, known[provider])
            else:
                stage.outcomes.look_up_failed(provider, LookupError(f"{provider!r} is none of {', '.join(known)}"))


class Now:
    capabilities = ("registry",)

    def perform_plugins(self, stage):
        return 7


class Talks:
    capabilities = ("registry",)

    async def perform_plugins(self, stage):
        for provider in stage.scene.lookups:
            stage.outcomes.looked_up(provider, f"the strategy {provider}")
"""
LOOK_UP = Scene(act="look up", modules=(Module(name="m", strategies=(Strategy(provider="p"),)),), lookups=("p",))


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the adapters."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    return tmp_path


def test_a_registry_in_a_dozen_lines_is_judged(here: Path) -> None:
    """Cases of undeclared capabilities and of other roles are inapplicable."""
    rules = ["--rule=XP-META-01", "--rule=XP-REG-03", "--area=AMD-DEDUP"]

    ended = run_loopspec(here, "run", "py:mine:Registry", *rules, "--report=r.jsonl")

    cases = reported(here / "r.jsonl").cases
    agentsmd = {(case.verdict, case.message) for case in cases if case.rules[0].startswith("AMD-")}
    passed = {case.rules[0] for case in cases if case.verdict == "passed"}
    assert (ended.code, {case.verdict for case in cases}) == (0, {"passed", "inapplicable"}), ended.said
    assert agentsmd == {("inapplicable", "needs the role loader or middleware or agent")}
    assert passed == {"XP-META-01", "XP-REG-03"}


@pytest.mark.parametrize(
    ("factory", "sentence"),
    [("Now", "py:mine:Now: perform_plugins() must be an async def"), ("Talks", "the adapter reports 'the strategy ")],
)
def test_a_failing_adapter_is_errored(factory: str, sentence: str, here: Path) -> None:
    """The message is the adapter's, and the suite is not at fault."""
    ended = run_loopspec(here, "run", f"py:mine:{factory}", "--area=XP-META", "--report=r.jsonl")

    errored = [case for case in reported(here / "r.jsonl").cases if case.verdict == "errored"]
    assert ended.code == 1
    assert errored
    assert [case.message for case in errored if not case.message.startswith(sentence)] == []
    assert "the suite itself failed" not in ended.said


@pytest.mark.parametrize("method", ["perform", "perform_plugins"])
def test_one_object_may_have_both_methods(method: str) -> None:
    """Each method is called in its own role."""
    called: list[str] = []

    async def perform(stage: Stage) -> None:
        called.append("perform")

    async def perform_plugins(stage: Stage) -> None:
        called.append("perform_plugins")

    roles = target_of(perform=perform, perform_plugins=perform_plugins).roles
    performed(LOOK_UP, "agent" if method == "perform" else "plugins", perform=perform, perform_plugins=perform_plugins)

    assert sorted(roles) == ["agent", "plugins"]
    assert called == [method]


@pytest.mark.parametrize(
    "meta",
    [
        "a name",
        7,
        {"name": "s", "label": "S"},
        StrategyMeta(name="s", label={"en_US": object()}),  # type: ignore[dict-item]  # an error of an adapter
        StrategyMeta(name="s", config_schema={"type": object()}),
        StrategyMeta(name=None),  # type: ignore[arg-type]  # an error of an adapter
    ],
    ids=["a text", "a number", "a dict", "a label of no text", "a schema of no JSON", "no name"],
)
@pytest.mark.parametrize("way", ["registered", "looked_up"])
def test_invalid_metadata_is_the_adapters_fault(way: str, meta: object) -> None:
    """The error is raised when the metadata is reported, before any check."""

    async def perform_plugins(stage: Stage) -> None:
        getattr(stage.outcomes, way)("p", meta)

    with pytest.raises(
        AdapterError, match=r"^the adapter reports .* as what a registry holds for 'p': .*loopspec\.Strategy"
    ):
        performed(LOOK_UP, "plugins", perform_plugins=perform_plugins)


def test_the_python_template_names_every_role() -> None:
    """Each role is named in a comment or in code, with its method."""
    text = (kits_root() / "templates/py/loopspec_adapter.py").read_text(encoding="utf-8")

    assert [role for role in ROLES if f"# Role {role}: " not in text] == []
    assert "perform_plugins(self, stage)" in text
