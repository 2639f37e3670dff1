"""Dialects of instruction files: the value of a target on an axis, and the names in a workspace."""

from __future__ import annotations

from contextlib import closing

import pytest

from loopspec import Posture
from loopspec.contract.axes import (
    DIALECT,
    declared_dialect,
    dialect_of,
    must_be_dialect,
    own_postures,
    value_of_tag,
    value_on,
)
from loopspec.contract.dialects import (
    DEFAULT_DIALECT,
    NOT_CONCERNED,
    UNKNOWN,
    Choice,
    dialect,
    dialect_names,
    instruction_axes,
    is_dialect,
    observed_dialect_names,
)
from loopspec.contract.faults import TargetUnusable, UsageError
from loopspec.contract.workspaces import Entry, Workspace, sentinel
from loopspec.specification.ledger import in_dialect, is_documented
from loopspec.targets.resolve import in_dialect as target_in_dialect
from loopspec.targets.resolve import resolve, split_dialect
from loopspec_instructions.dialects import reader_of

from ..staging import case_of

CODEX = declared_dialect("codex")
NAMED = Workspace(
    entries={
        "project/{name}": Entry(text=f"{sentinel('project/{name}')}\nsee @{{name}}\n"),
        "project/a/{name}": Entry(kind="link", target="../{name}"),
        "project/a/b/notes.md": Entry(base64=b"\xff{name}"),
    },
    working_directory="project/a/b",
)


def workspace(*paths: str) -> Workspace:
    """A workspace with files of these paths."""
    return Workspace(entries={path: Entry(text=f"{sentinel(path)}\n") for path in paths})


# -- values ------------------------------------------------------------------------------------------------------------


def test_the_value_of_a_target_is_that_of_its_dialect() -> None:
    """Without a declared dialect, that of the default one."""
    assert value_on("walk", CODEX) == "project-root"
    assert value_on("walk", {}) == dialect(DEFAULT_DIALECT).value("walk") == "configured"
    assert value_on(DIALECT, {}) == DEFAULT_DIALECT
    assert dialect_of(CODEX) is dialect("codex")


def test_an_axis_that_does_not_concern_a_dialect_has_no_value() -> None:
    assert value_on("order", {}) != NOT_CONCERNED
    assert value_on("names", declared_dialect("deepagents")) == NOT_CONCERNED
    assert value_on("names", declared_dialect("agents-md")) not in (NOT_CONCERNED, "")


def test_no_value_of_an_axis_looks_like_a_missing_one() -> None:
    """A rule of such a value would judge the dialects that the axis does not concern."""
    assert [name for name, axis in instruction_axes().items() if {NOT_CONCERNED, UNKNOWN} & axis.values.keys()] == []


@pytest.mark.parametrize(
    ("choice", "judged", "actual"),
    [
        (Choice(documented="a", link="l", says="S."), "a", "a"),
        (Choice(documented="a", link="l", says="S.", observed="b"), "a", "b"),
        (Choice(measured="b"), "b", "b"),
        (Choice(unknown="Closed."), UNKNOWN, UNKNOWN),
    ],
)
def test_rules_judge_what_is_documented_and_readers_use_what_is_observed(
    choice: Choice, judged: str, actual: str
) -> None:
    assert (choice.judged, choice.actual) == (judged, actual)


def test_the_default_dialect_is_no_posture_of_its_own() -> None:
    assert own_postures(declared_dialect(DEFAULT_DIALECT)) == {}
    assert own_postures(CODEX) == {DIALECT: "codex"}
    assert CODEX[DIALECT] == Posture("codex", link=dialect("codex").documents[0])


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("axis:walk=nearer", "the axis walk has no value 'nearer': did you mean 'nearest'?"),
        ("axis:walk", "the axis walk has no value '': the values are project-root, above-root, "),
        ("axis:wlk=nearest", "there is no axis 'wlk'"),
    ],
)
def test_the_tag_of_an_axis_of_instruction_files_has_a_value_that_exists(tag: str, message: str) -> None:
    with pytest.raises(LookupError) as raised:
        value_of_tag(tag)
    assert message in str(raised.value)


def test_a_dialect_of_another_name_is_an_error_with_a_similar_name() -> None:
    with pytest.raises(LookupError, match="there is no dialect 'gemini': did you mean 'gemini-cli'"):
        dialect("gemini")
    with pytest.raises(LookupError, match="there is no dialect 'vim': the dialects are agents-md, "):
        dialect("vim")
    with pytest.raises(TargetUnusable, match="T declares the dialect 'Codex', which is none: did you mean 'codex'"):
        must_be_dialect("Codex", "T")
    with pytest.raises(LookupError, match=r"there is no dialect '../axes': the dialects are"):
        dialect("../axes")


# -- the basis of a rule -----------------------------------------------------------------------------------------------


def test_a_rule_is_normative_where_the_dialect_documents_its_value() -> None:
    """Measured values, other values and the rules of the four documents are not concerned."""
    walk, order, loop = case_of("INS-WALK-01"), case_of("INS-ORDER-02"), case_of("LOOP-01")
    assert [case.basis for case in in_dialect([walk, order, loop], CODEX)] == ["documented", "clarified", loop.basis]
    assert in_dialect([loop], CODEX)[0] is loop
    assert [case.basis for case in in_dialect([walk], {})] == ["clarified"]
    assert walk.basis == "clarified"
    assert is_documented(walk.rule.ids, CODEX)
    assert not is_documented((), CODEX)
    assert not is_documented(("LOOP-01",), CODEX)


def test_a_measured_value_is_advisory() -> None:
    measured = {name for name in dialect_names() if dialect(name).axes["bad-bytes"].measured == "replaced"}
    assert measured
    for name in measured:
        [case] = in_dialect([case_of("INS-ERROR-17")], declared_dialect(name))
        assert case.basis == "clarified"


# -- names in workspaces -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "usual"), [("codex", "AGENTS.md"), ("gemini-cli", "GEMINI.md"), ("claude-code", "CLAUDE.md")]
)
def test_names_are_those_of_the_dialect(name: str, usual: str) -> None:
    """In paths, contents and targets; the first line of a file stays the same, and bytes are not changed."""
    applied = dialect(name).applied_to(NAMED)
    assert applied.entries == {
        f"project/{usual}": Entry(text=f"{sentinel('project/{name}')}\nsee @{usual}\n"),
        f"project/a/{usual}": Entry(kind="link", target=f"../{usual}"),
        "project/a/b/notes.md": Entry(base64=b"\xff{name}"),
    }


def test_the_configured_files_are_those_of_the_folders_down_to_the_working_directory() -> None:
    """From the first folder on; a file in another folder is none of them."""
    applied = dialect("deepagents").applied_to(replace_entries("project/{name}", "project/a/{name}", "other/{name}"))
    assert applied.configured == ("project/AGENTS.md", "project/a/AGENTS.md")
    given = NAMED.__class__(entries=NAMED.entries, configured=("x/{name}", "project/notes.md"))
    assert dialect("gemini-cli").applied_to(given).configured == ("x/GEMINI.md", "project/notes.md")
    assert dialect("codex").applied_to(Workspace(configured=())).configured == ()


def replace_entries(*paths: str) -> Workspace:
    """A workspace with these files, which is read in a folder below."""
    return Workspace(entries=workspace(*paths).entries, working_directory="project/a")


def test_first_and_second_name_are_of_one_group_or_of_two() -> None:
    """In one group, the first name precedes the second; a dialect with one name has neither."""
    paths = ("p/{first name}", "p/{second name}", "home/{global}")
    assert list(dialect("codex").applied_to(workspace(*paths)).entries) == [
        "p/AGENTS.override.md",
        "p/AGENTS.md",
        "home/.codex/AGENTS.md",
    ]
    assert list(dialect("qwen-code").applied_to(workspace(*paths)).entries)[:2] == ["p/QWEN.md", "p/AGENTS.md"]


@pytest.mark.parametrize(
    ("name", "path", "lacks"),
    [
        ("codex", "p/{first name}", ""),
        ("codex", "home/{global}", ""),
        ("gemini-cli", "p/{first name}", "has one file name only"),
        ("gemini-cli", "p/{second name}", "has one file name only"),
        ("gemini-cli", "home/{global}", ""),
        ("deepagents", "home/{global}", "has no global file"),
        ("agents-md", "p/{name}", ""),
    ],
)
def test_a_dialect_lacks_what_a_placeholder_stands_for(name: str, path: str, lacks: str) -> None:
    """In paths, contents and targets of links."""
    known = dialect(name)
    assert known.lacks(workspace(path)) == lacks
    assert known.lacks(Workspace(entries={"p/x": Entry(text=f"@{path}")})) == lacks
    assert known.lacks(Workspace(entries={"p/x": Entry(kind="link", target=path)})) == lacks
    assert known.lacks(Workspace(configured=(path,))) == lacks


@pytest.mark.parametrize(
    ("path", "is_above"), [("{name}", True), ("p/{name}", True), ("p/a/{name}", False), ("p/x", False)]
)
def test_a_dialect_that_searches_one_folder_lacks_those_above(path: str, is_above: bool) -> None:
    """Folders that a placeholder gives an instruction file."""
    asked = Workspace(entries={path: Entry(text="")}, working_directory="p/a")
    lacks = "searches no folder above the working directory" if is_above else ""
    assert dialect("continue-cli").lacks(asked) == lacks
    assert dialect("codex").lacks(asked) == ""


@pytest.mark.parametrize("name", dialect_names())
def test_no_placeholder_is_left(name: str) -> None:
    """Each dialect has a usual name; what it lacks is judged before."""
    known = dialect(name)
    for path in ("p/{name}", "p/{first name}", "p/{second name}", "home/{global}"):
        if not known.lacks(workspace(path)):
            [applied] = known.applied_to(workspace(path)).entries
            assert "{" not in applied
            assert not applied.endswith("/")


# -- target strings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "target", "name"),
    [
        ("reference as codex", "reference", "codex"),
        ("reference", "reference", ""),
        ("cmd:tool as root as pi", "cmd:tool as root", "pi"),
        ("cmd:tool as root", "cmd:tool as root", ""),
        ("py:a:b as claude-code", "py:a:b", "claude-code"),
    ],
)
def test_a_target_string_names_a_dialect(given: str, target: str, name: str) -> None:
    assert split_dialect(given) == (target, name)


def test_a_target_string_gets_another_dialect() -> None:
    assert target_in_dialect("reference", "pi") == "reference as pi"
    assert target_in_dialect("reference as codex", "pi") == "reference as pi"
    with pytest.raises(UsageError, match="there is no dialect 'p': "):
        target_in_dialect("reference", "p")


def test_the_reference_reads_in_the_named_dialect() -> None:
    """Its identity and its other roles stay."""
    with closing(resolve("reference")) as plain, closing(resolve("reference as codex")) as codex:
        assert codex.postures == CODEX
        assert plain.postures == declared_dialect(DEFAULT_DIALECT)
        assert (codex.identity, codex.roles) == (plain.identity, plain.roles)


def test_a_target_declares_a_dialect_as_observed() -> None:
    postures = declared_dialect("qwen-code-observed")
    assert value_on("walk", postures) == "above-root"
    assert value_on("walk", declared_dialect("qwen-code")) == "project-root"
    assert value_on("selection", postures) == "every-name"  # the tool does what its document says


def test_an_observed_value_has_no_document() -> None:
    postures = declared_dialect("qwen-code-observed")
    assert not is_documented(["INS-WALK-02"], postures)
    assert is_documented(["INS-NAMES-13"], postures)


def test_only_a_tool_that_differs_from_its_document_is_observed() -> None:
    assert "codex-observed" in observed_dialect_names()
    assert not set(observed_dialect_names()) & set(dialect_names())
    assert not is_dialect("pi-observed")
    with pytest.raises(LookupError, match="there is no dialect 'pi-observed'"):
        dialect("pi-observed")
    with pytest.raises(TargetUnusable, match="the dialect 'pi-observed', which is none"):
        must_be_dialect("pi-observed", "a target")


@pytest.mark.parametrize("name", observed_dialect_names())
def test_the_reference_reads_the_observed_values(name: str) -> None:
    plain = name.removesuffix("-observed")
    assert reader_of(name) == reader_of(plain, observed=True)
    assert reader_of(name) != reader_of(plain)
