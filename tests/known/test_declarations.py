"""The declarations of the adapters in the repository: they agree with everything else that names a version."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from loopspec.contract.capabilities import capabilities_of_role
from loopspec.contract.faults import SuiteError, UsageError
from loopspec.engine.baseline import load_baseline
from loopspec.specification.features import compiled
from loopspec.specification.names import NO_NAME, names
from loopspec.specification.sources import case_named, fits
from loopspec.targets.resolve import resolve
from loopspec_known.declarations import Known, in_order, known, known_targets, undeclared
from loopspec_known.environments import environment_of
from loopspec_known.versions import gap_cases
from tools.recorded import command

KNOWN = known_targets()
AGENTS = {name: one for name, one in KNOWN.items() if "agent" in one.declared.roles}


@pytest.mark.parametrize("one", KNOWN.values(), ids=KNOWN)
def test_the_command_in_the_readme_judges_the_same(one: Known) -> None:
    """The README names the target, its baseline and the deselected cases."""
    text = (one.folder / "README.md").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line.startswith("loopspec run ") and one.declared.baseline in line]

    target = one.declared.target if one.declared.target.startswith("py:") else "cmd:"
    assert [line for line in lines if target in line]
    assert f"known:{one.name}" in text
    words = command(one.folder)
    deselected = {words[at + 1] for at, word in enumerate(words) if word == "--deselect"}
    assert deselected <= {left_out.case for left_out in one.declared.deselect}


@pytest.mark.parametrize("one", KNOWN.values(), ids=KNOWN)
def test_the_versions_are_those_that_the_adapter_was_judged_with(one: Known) -> None:
    """The README, the module of Go and the package of Node have the same versions."""
    text = " ".join((one.folder / "README.md").read_text(encoding="utf-8").split())
    said = re.search(r"Judged with (.*?)\.(?: |$)", text)

    assert said
    for name, version in one.adapter.packages.items():
        assert f"{name.rpartition('/')[2].replace('-', '_')} {version}" in said[1].replace("-", "_")
    if one.adapter.language == "go":
        assert f"\t{one.package} v{one.pinned}\n" in (one.folder / "go.mod").read_text(encoding="utf-8")
    if one.adapter.language == "node":
        asked = json.loads((one.folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
        assert asked == one.adapter.packages


@pytest.mark.parametrize("one", KNOWN.values(), ids=KNOWN)
def test_the_named_cases_exist_and_each_reason_is_written(one: Known) -> None:
    """The baseline can be read, and every pattern fits a case, also those of the oldest version."""
    assert one.baseline is not None
    load_baseline(one.baseline, compiled())
    for left_out in one.declared.deselect:
        assert case_named(left_out.case) or any(fits(case.id, left_out.case) for case in compiled())
        assert len(left_out.reason) > 20
    oldest = gap_cases(known(f"{one.name}@0"))
    assert {gap.reason for gap in oldest.values()} == {gap.reason for gap in one.declared.gaps}
    assert gap_cases(one) == {}


def test_every_adapter_is_known_apart_from_one_without_a_package() -> None:
    """`local_files` is Python's own library, and `reference` comes with the kit."""
    root = next(iter(KNOWN.values())).folder.parent
    folders = {path.parent.name for path in root.glob("*/README.md")}

    assert folders - {one.folder.name for one in KNOWN.values()} == {"local_files", "reference"}


def test_names_and_versions() -> None:
    """Without a version, the pinned one; a prefix is allowed; another version has no baseline and free companions."""
    pinned, other = known("langchain"), known("known:langchain@1.2.18")

    assert known(f"known:langchain@{pinned.pinned}") == pinned
    assert (pinned.is_pinned, other.is_pinned) == (True, False)
    assert str(other) == "known:langchain@1.2.18"
    assert other.baseline is None
    assert pinned.packages == pinned.adapter.packages
    assert other.packages == {"langchain": "1.2.18", "langgraph": ""}


def test_a_target_can_have_a_package_of_its_own() -> None:
    """The version is that of the target's package; at the pinned versions, all targets of an adapter share a folder."""
    redis, s3fs, other = known("redis"), known("s3fs"), known("redis@7.0.0")

    assert (redis.pinned, redis.version) == (redis.adapter.packages["redis"],) * 2
    assert environment_of(redis) == environment_of(s3fs)
    assert other.packages == dict.fromkeys(redis.adapter.packages, "") | {"redis": "7.0.0"}
    assert environment_of(other) != environment_of(redis)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("known:langchian", "there is no known target 'langchian': did you mean 'langchain'?"),
        ("known:", "there is no known target '': see `loopspec known`"),
        ("known:eino@", "'' is not a version: use known:eino@0.9.9, or known:eino"),
        ("known:eino@../..", "'../..' is not a version: use known:eino@0.9.9, or known:eino"),
        ("known:eino@1 --flag", "'1 --flag' is not a version: use known:eino@0.9.9, or known:eino"),
        ("knwon:eino", "there is no target 'knwon:eino': did you mean 'known:eino'?"),
    ],
)
def test_a_wrong_name_is_one_sentence(name: str, sentence: str) -> None:
    """Nothing is installed."""
    with pytest.raises(UsageError) as error:
        resolve(name)

    assert str(error.value) == sentence


def test_versions_are_ordered_by_value() -> None:
    """A preview precedes its version."""
    versions = ["1.0.0", "1.10", "1.9", "1.0.0rc1", "2", "1.9.1", "0.61.0-preview.1", "0.61.0"]

    assert sorted(versions, key=in_order) == [
        "0.61.0-preview.1",
        "0.61.0",
        "1.0.0rc1",
        "1.0.0",
        "1.9",
        "1.9.1",
        "1.10",
        "2",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("language = 'perl'", "Invalid enum value 'perl'"),
        ("nonsense", "Expected '='"),
        ("language = 'go'\npackage = 'x'\ntargets = []\npackages = {y = '1'}", "has no version of x"),
        (
            (
                "language = 'go'\npackage = 'y'\npackages = {y = '1'}\n"
                "targets = [{name = 'n', target = 't', roles = [], baseline = 'b', package = 'x'}]"
            ),
            "has no version of x",
        ),
    ],
)
def test_an_invalid_declaration_is_an_error_of_the_suite(adapters: Path, text: str, problem: str) -> None:
    """The sentence names the file."""
    path = adapters / "fake" / "known.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SuiteError, match=re.escape(str(path))) as error:
        known_targets()
    assert problem in str(error.value)


@pytest.mark.parametrize("one", AGENTS.values(), ids=AGENTS)
def test_each_reason_has_a_link_and_is_given_once(one: Known) -> None:
    """The link leads to the source or to the documents of the framework."""
    reasons = undeclared(one.folder)

    assert reasons
    for reason in reasons:
        assert re.match(r"https://\S+$", reason.link)
        assert reason.reason[0] not in " ."
        assert len(reason.reason) > 8  # at least: not tried
        assert not reason.reason.endswith(".")
        assert set(reason.capabilities) <= set(capabilities_of_role("agent"))
    counts = Counter(name for reason in reasons for name in reason.capabilities)
    assert [name for name, count in counts.items() if count > 1] == []


def test_only_adapters_of_agents_have_reasons() -> None:
    """A loader and a backend have no capability of the loop."""
    others = {one.folder for name, one in KNOWN.items() if name not in AGENTS}

    assert [folder for folder in others if undeclared(folder) is not None] == []


def test_an_invalid_file_is_named(tmp_path: Path) -> None:
    """With a capability that nothing knows."""
    (tmp_path / "undeclared.toml").write_text(
        '[[undeclared]]\ncapabilities = ["flying"]\nreason = "no wings"\nlink = "https://example.org"\n'
    )

    with pytest.raises(SuiteError, match=r"undeclared\.toml cannot be read: .*flying"):
        undeclared(tmp_path)


# The concepts of features/names.toml that a capability is about, where it has another name.
CAPABILITY_OF = {
    "agent-as-tool": "agent-tool",
    "instruction-file": "agentsmd",
    "run-local-value": "run-values",
    **{f"{when}-{of}-hook": f"{when}-{of}-hooks" for when in ("before", "after") for of in ("agent", "model")},
    **{name: f"{name}s" for name in ("approval", "model-wrapper", "tool-wrapper", "session-value")},
}


@pytest.mark.parametrize(
    "one", [one for one in AGENTS.values() if one.name in names().frameworks], ids=lambda one: one.name
)
def test_names_and_undeclared_capabilities_agree(one: Known) -> None:
    """A thing with a name is declared or a gap, and one without a name is not; a note says what is in between."""
    reasons = {capability: reason for reason in undeclared(one.folder) or () for capability in reason.capabilities}
    unclear = []
    for concept, of in names().concepts.items():
        capability = CAPABILITY_OF.get(concept, concept)
        if capability in capabilities_of_role("agent"):
            name, reason = of.names[one.name], reasons.get(capability)
            is_clear = reason is None if name.name == NO_NAME else reason is not None and not reason.gap
            unclear += [concept] * (is_clear and not name.note)

    assert unclear == []
