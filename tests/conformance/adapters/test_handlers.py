"""Handlers of LangChain and pydantic-ai, their own ones among them, are judged in the loop of their framework."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn, TypeAlias

import pytest

from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import read_report

from ..process import PATIENCE

pytestmark = pytest.mark.long
GUIDE = Path(__file__).parents[3] / "conformance" / "loopspec" / "guide" / "judge-a-handler.md"
Verdicts: TypeAlias = Counter[tuple[str, str]]  # of cases, by verdict and rule

PYDANTIC_AI = """
from pydantic_ai.capabilities import AbstractCapability, PrepareTools, ProcessHistory


class Observing(AbstractCapability):
    def __init__(self):
        self.seen = []

    async def wrap_model_request(self, ctx, *, request_context, handler):
        response = await handler(request_context)
        self.seen.append(response)
        return response

    async def wrap_tool_execute(self, ctx, *, call, tool_def, args, handler):
        return await handler(args)


class Hiding(Observing):
    async def wrap_tool_execute(self, ctx, *, call, tool_def, args, handler):
        try:
            return await handler(args)
        except Exception as error:
            return f"failed: {error}"


class Declaring(Hiding):
    loopspec_changes = ("tool-errors",)


async def same(ctx, tools):
    return tools


def prepare_tools():
    return PrepareTools(same)


def process_history():
    return ProcessHistory(lambda messages: messages)
"""

LANGCHAIN = """
from langchain.agents.middleware import (
    AgentMiddleware,
    ModelCallLimitMiddleware,
    ModelRetryMiddleware,
    PIIMiddleware,
    ToolRetryMiddleware,
)
from langchain_core.messages import ToolMessage


class Observing(AgentMiddleware):
    async def awrap_model_call(self, request, handler):
        return await handler(request)

    async def awrap_tool_call(self, request, handler):
        return await handler(request)


class Hiding(Observing):
    async def awrap_tool_call(self, request, handler):
        try:
            return await handler(request)
        except Exception as error:
            return ToolMessage(f"failed: {error}", tool_call_id=request.tool_call["id"], name=request.tool_call["name"])


class Declaring(Hiding):
    loopspec_changes = ("tool-errors",)


def pii():
    return PIIMiddleware("credit_card")


def limit():
    return ModelCallLimitMiddleware(run_limit=1000)


def model_retry():
    return ModelRetryMiddleware(max_retries=0, on_failure="error")


def retry():
    made = ToolRetryMiddleware(max_retries=1, initial_delay=0, jitter=False)
    made.loopspec_changes = ("tool-errors",)
    return made
"""

# Where a history processor that returns its input makes the changes of another capability permanent:
# `ProcessHistory.before_model_request` writes the messages of the request into the history of the run.
PERMANENT = {"HOOK-WM-04", "POSTURE-02"}
# Two concurrent runs: fails in some runs of the suite and passes in others.
AT_RANDOM = {"STATE-10"}
INTERRUPTS = {"HANDLER-13", "HANDLER-14"}
ERRORS = {"HANDLER-12", "LOOP-13", "LOOP-14"}

# Every rule about handlers, and the scenes of agents with the handler in one of the two places; or a third of them.
ALL = ("--role", "handler", "--variants", "handler-under-test-last")
THIRD = ALL if "LOOPSPEC_ALL" in os.environ else (*ALL, "--shard", "1/3")


@pytest.fixture
def judged(tmp_path: Path, do_without: Callable[[str, str], NoReturn]) -> Callable[..., Verdicts]:
    """Judges a handler of a module by every rule for handlers, or by the rules that an option selects."""

    def judge(package: str, module: str, name: str, *options: str) -> Verdicts:
        if find_spec(package) is None:
            do_without(package, f"{package} is not installed")
        (tmp_path / "handlers.py").write_text(module, encoding="utf-8")
        report = tmp_path / "report.jsonl"
        words = [sys.executable, "-m", "loopspec", "run", f"py:handlers:{name}", *(options or ALL)]
        words += ["--report", str(report)]
        ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert ran.returncode in (0, 1), ran.stdout + ran.stderr
        cases = [line for line in read_report(report) if isinstance(line, CaseLine)]
        return Counter((case.verdict, case.case.partition(" :: ")[0]) for case in cases)

    return judge


def rules(found: Verdicts, verdict: str) -> set[str]:
    """The rules with a case of this verdict."""
    return {rule for seen, rule in found if seen == verdict}


@pytest.mark.parametrize(
    ("package", "module", "name", "options", "passes"),
    [
        ("pydantic_ai", PYDANTIC_AI, "Observing", ALL, 240),
        ("pydantic_ai", PYDANTIC_AI, "prepare_tools", THIRD, 80),
        ("langchain", LANGCHAIN, "Observing", ALL, 320),
        ("langchain", LANGCHAIN, "pii", THIRD, 106),
        ("langchain", LANGCHAIN, "limit", THIRD, 106),
        ("langchain", LANGCHAIN, "model_retry", THIRD, 106),
    ],
)
def test_a_handler_that_changes_nothing_passes(
    package: str, module: str, name: str, options: tuple[str, ...], passes: int, judged: Callable[..., Verdicts]
) -> None:
    """Most of the handlers are the frameworks' own, and are judged by a third of the cases. Most are scenes of agents.

    Some scenes have a limit of model calls or retries, for which the adapter uses the middlewares of LangChain itself.
    """
    found = judged(package, module, name, *options)

    assert rules(found, "failed") | rules(found, "errored") == set()
    assert sum(count for (verdict, _), count in found.items() if verdict == "passed") >= passes


def test_a_history_processor_makes_the_changes_of_another_capability_permanent(judged: Callable[..., Verdicts]) -> None:
    """The processor returns its input, and changes what another capability has changed for one request."""
    found = judged("pydantic_ai", PYDANTIC_AI, "process_history")

    assert rules(found, "failed") - AT_RANDOM == PERMANENT


@pytest.mark.parametrize(("package", "module"), [("pydantic_ai", PYDANTIC_AI), ("langchain", LANGCHAIN)])
def test_a_handler_that_catches_every_exception_swallows_interrupts(
    package: str, module: str, judged: Callable[..., Verdicts]
) -> None:
    """A declared change of tool errors excuses the changed errors. It does not excuse a swallowed interrupt."""
    options = ("--rule", "HANDLER-0*", "--rule", "HANDLER-1[0-6]")
    undeclared = judged(package, module, "Hiding", *options)
    declared = judged(package, module, "Declaring", *options)

    assert rules(declared, "failed") == INTERRUPTS
    assert rules(undeclared, "failed") - ERRORS == INTERRUPTS


def test_the_retry_of_langchain_passes_interrupts_on(judged: Callable[..., Verdicts]) -> None:
    """The middleware catches exceptions of tools, and an interrupt is one in Python."""
    found = judged("langchain", LANGCHAIN, "retry", "--rule", "HANDLER-0*", "--rule", "HANDLER-1[0-6]")

    assert rules(found, "passed") >= INTERRUPTS
    assert rules(found, "failed") == set()


@pytest.mark.parametrize(
    ("package", "name"), [("pydantic_ai", "test_pydantic_ai_audit.py"), ("langchain", "test_langchain_audit.py")]
)
def test_the_snippets_of_the_guide_run(
    package: str, name: str, tmp_path: Path, do_without: Callable[[str, str], NoReturn]
) -> None:
    """The test of the guide itself runs the snippet about the reference, which needs no framework."""
    if find_spec(package) is None:
        do_without(package, f"{package} is not installed")
    (snippet,) = re.findall(rf"^```python\n(# {name}\n.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / name).write_text(snippet, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "notices or test_scenario", name]

    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert int(re.findall(r"(\d+) passed", ran.stdout)[-1]) >= 12
