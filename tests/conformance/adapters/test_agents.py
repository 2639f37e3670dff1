"""Adapters of agent frameworks are judged with the commands from their READMEs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .frameworks import PYTHON, Frameworks
from .judged import ADAPTERS, Judged, must_match_baseline

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Expected:
    """The links of the baseline, how many cases pass for each known failure, and the roles.

    `link` is the address of a file in the source; `{version}` stands for the judged version. Each case that needs a
    capability of `unproven` is known to fail.
    """

    link: str
    passed_per_known: int
    roles: tuple[str, ...] = ("agent",)
    unproven: frozenset[str] = frozenset()


_NODE = r"https://github\.com/[\w-]+/\w+/blob/(?P<package>(?:@[\w-]+/)?[\w-]+)@(?P<version>[\d.]+)/[\w/-]+?/src/(?P<file>[^#]+)"
FRAMEWORKS = {
    "agent_framework": Expected(
        r"https://github\.com/microsoft/agent-framework/blob/python-{version}/"
        r"(?:python/packages/core/\w+/\w+\.py|docs/decisions/[\w-]+\.md)",
        3,
    ),
    # its sentence about the identity of an agent is in each request: 83 cases
    "google_adk": Expected(
        r"https://github\.com/google/adk-python/blob/v{version}/src/[\w/]+\.py",
        1,
        unproven=frozenset({"reports-tools"}),
    ),
    "haystack": Expected(
        r"https://github\.com/deepset-ai/haystack/blob/v{version}/haystack/[\w/]+\.py",
        4,
    ),
    "llama_index": Expected(
        r"https://github\.com/run-llama/(?:llama_index/blob/v{version}/llama-index-core/llama_index/core/[\w/]+\.py|"
        r"llama-agents/blob/llama-index-workflows@v[\d.]+/packages/llama-index-workflows/src/workflows/[\w/]+\.py)",
        2,
        unproven=frozenset({"checkpoint-reuse"}),
    ),
    "langchain": Expected(r"https://[^#]+(?:#[a-z-]+)?", 2, ("agent", "plugins")),  # documents, too
    "openai_agents": Expected(r"https://github\.com/openai/openai-agents-python/blob/v{version}/src/[\w/]+\.py", 3),
    "pydantic_ai": Expected(r"https://github\.com/pydantic/pydantic-ai/blob/v{version}/[\w/]+\.py", 4),
    "strands": Expected(
        r"https://github\.com/strands-agents/harness-sdk/blob/python/v{version}/strands-py/src/strands/[\w/]+\.py",
        3,
        unproven=frozenset({"missing-results"}),
    ),
    "eino": Expected(
        r"https://github\.com/cloudwego/eino/blob/v{version}/(?P<file>[^#]+\.go)", 15, ("agent", "loader", "middleware")
    ),
    "langchain_js": Expected(_NODE, 4),
    "vercel_ai": Expected(_NODE, 4),
}
each = pytest.mark.parametrize("name", FRAMEWORKS)


@pytest.fixture
def judged(name: str, frameworks: Frameworks) -> Judged:
    """The result of the framework."""
    return frameworks.judged(name)


@each
def test_a_framework_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)
    must_match_baseline(judged)


@each
def test_every_baseline_entry_is_explained(name: str, judged: Judged, frameworks: Frameworks) -> None:
    """Each entry has a reason, and a link to lines that exist in the judged version."""
    address = FRAMEWORKS[name].link.replace("{version}", re.escape(judged.run.identity.version))
    for entry in judged.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        link = re.fullmatch(rf"{address}(?:#L(?P<first>\d+)(?:-L(?P<last>\d+))?)?", entry.link)
        assert link, entry.link
        assert link["first"] or name == "langchain"
        lines = frameworks.lines(name, link)
        if lines is not None:
            first, last = int(link["first"]), int(link["last"] or link["first"])
            assert first <= last <= len(lines), entry.link
            assert any(line.strip() for line in lines[first - 1 : last]), entry.link


@each
def test_every_declared_capability_is_proven(name: str, judged: Judged) -> None:
    """A passed case needs each declared capability, each other one has a reason, and most cases pass."""
    assert sorted(judged.run.roles) == sorted(FRAMEWORKS[name].roles)
    assert set(judged.run.capabilities) - FRAMEWORKS[name].unproven == judged.proven
    assert FRAMEWORKS[name].unproven <= judged.needed
    judged.assert_all_else_has_a_reason(ADAPTERS / name)
    verdicts = [case.verdict for case in judged.cases]
    assert verdicts.count("passed") > FRAMEWORKS[name].passed_per_known * verdicts.count("known")


@pytest.mark.parametrize("name", ["langchain_js", "vercel_ai"])
def test_links_and_the_adapter_have_the_pinned_versions(name: str, judged: Judged) -> None:
    """Those of package.json. `tests/known/` compares the README with them."""
    pinned = json.loads((ADAPTERS / name / "package.json").read_text("utf-8"))["dependencies"]
    links = {re.fullmatch(rf"{_NODE}#.*", entry.link) for entry in judged.baseline.known}

    assert judged.run.identity.version == pinned[{"langchain_js": "langchain", "vercel_ai": "ai"}[name]]
    assert {link["package"]: link["version"] for link in links if link}.items() <= pinned.items()


@pytest.mark.parametrize("name", PYTHON)
def test_the_core_of_an_adapter_on_the_toolkit_is_small(name: str) -> None:
    """At most 190 lines of code."""
    lines = (ADAPTERS / name / f"{name}_adapter" / "core.py").read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190


def test_go_tools_report_no_problem(frameworks: Frameworks) -> None:
    """The adapter is formatted and vetted, and its own tests pass."""
    assert frameworks.installed("eino")
    assert frameworks.go("gofmt", "-l", ".") == ""
    assert frameworks.go("go", "vet", "./...") == ""
    assert frameworks.go("go", "test", "./...").startswith("ok")
