"""Handlers for the reference's loop, judged by the rules of the role `handler`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from typing import cast

import pytest

import loopspec_reference as ref
from loopspec.contract.faults import TargetUnusable
from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_reference.agentsmd import AgentsMD, Config

M = ref.AnyMessage

CASES = [case for case in compiled() if case.roles == ("handler",)]


class Noting(ref.Handler[M]):
    """Adds a note before every model call, and says so."""

    loopspec_changes: tuple[str, ...] = ("requests",)

    async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        """Add a note."""
        return ref.State((*state.messages, ref.Message.user("a note")), state.tools, state.deferred_tools)


def instructions() -> AgentsMD[ref.Message]:
    """The AgentsMD middleware with a file."""
    handler = AgentsMD(Config(backend=ref.MemoryBackend({"/p/a.md": b"Be brief."}), files=["/p/a.md"]), ref.Message)
    handler.capabilities = ("idempotent",)  # type: ignore[attr-defined]  # what it claims
    handler.loopspec_changes = ("requests",)  # type: ignore[attr-defined]  # what it is for
    return handler


def verdicts(factory: Callable[[], object]) -> dict[str, set[str]]:
    """The verdicts of each rule of the role."""
    found: dict[str, set[str]] = {}
    with closing(PythonTarget(factory, "made here")) as target:
        assert target.roles == {"handler"}
        for case in CASES:
            for rule in case.rule.ids:
                found.setdefault(rule, set()).add(judge(case, target).verdict)
    return found


def with_verdict(verdict: str, found: dict[str, set[str]]) -> set[str]:
    """The rules with a case that has this verdict."""
    return {rule for rule, seen in found.items() if verdict in seen}


# The rules whose examples look at requests, and the one about a no-op.
OF_REQUESTS = {"HANDLER-06", "HANDLER-07", "HANDLER-14"}


@pytest.mark.parametrize(("factory", "unclaimed"), [(Noting, {"HANDLER-05"}), (instructions, set())])
def test_a_handler_is_judged_by_what_it_claims(factory: Callable[[], object], unclaimed: set[str]) -> None:
    """A handler may change requests that it declares to change, and add notes repeatedly unless it is idempotent."""
    found = verdicts(factory)

    assert with_verdict("inapplicable", found) == OF_REQUESTS | unclaimed
    assert {rule for rule, seen in found.items() if seen == {"passed"}} == found.keys() - OF_REQUESTS - unclaimed


def test_an_undeclared_change_fails() -> None:
    """Every rule that looks at requests fails, and no other."""

    class Silent(Noting):
        loopspec_changes = ()

    assert with_verdict("failed", verdicts(Silent)) == OF_REQUESTS


def test_a_false_claim_fails() -> None:
    """No other rule fails."""

    class Claiming(Noting):
        capabilities = ("idempotent",)

    assert with_verdict("failed", verdicts(Claiming)) == {"HANDLER-05"}


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (("request",), "declares the change 'request', which is none: did you mean 'requests'?"),
        ("requests", "must be a tuple of names"),
        (1, "must be a tuple of names"),
        ((["requests"],), "declares the change ['requests'], which is none"),
    ],
)
def test_a_declaration_of_another_form_makes_the_target_unusable(declared: object, said: str) -> None:
    """A change that is none could hide a failure."""

    class Wrong(Noting):
        loopspec_changes = declared  # type: ignore[assignment]  # the mistake

    with pytest.raises(TargetUnusable, match=re.escape(said)):
        PythonTarget(Wrong, "made here")


def test_a_declaration_under_another_name_makes_the_target_unusable() -> None:
    """It would have no effect, and the handler would be judged as one that changes nothing."""

    class Wrong(Noting):
        loopspec_change = ("requests",)

    with pytest.raises(TargetUnusable, match=r"Wrong has `loopspec_change`, .*: did you mean `loopspec_changes`\?"):
        PythonTarget(Wrong, "made here")


class Wrapping(ref.Handler[M]):
    """A handler with a model wrapper."""

    def wrap_model(self, endpoint: ref.ModelEndpoint[M], context: ref.ModelContext[M]) -> ref.ModelEndpoint[M]:
        """Wrap the endpoint."""

        async def around(request: ref.ModelRequest[M]) -> ref.Output[M]:
            return await self.call(endpoint, request)

        return around

    async def call(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
        """Call the inner endpoint."""
        return await endpoint(request)


class Marking(Wrapping):
    """A wrapper that changes the messages of the request."""

    async def call(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
        """Change the messages, and call the inner endpoint."""
        for message in request.messages:
            cast("dict[str, object]", message.extra)["seen"] = True
        return await endpoint(request)


class Forgetting(Wrapping):
    """A wrapper that does not return the answer."""

    async def call(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
        """Call the inner endpoint, and return None."""
        await endpoint(request)
        return None  # type: ignore[return-value]  # the bug


@pytest.mark.parametrize(("factory", "breaks"), [(Wrapping, None), (Marking, "HANDLER-01"), (Forgetting, "HANDLER-02")])
def test_a_wrapper_is_judged_by_each_call(factory: type[ref.Handler[M]], breaks: str | None) -> None:
    """The request must not change, and the answer must be returned."""
    found = verdicts(factory)

    assert with_verdict("failed", found) >= ({breaks} if breaks else set())
    assert with_verdict("errored", found) == set()
    if breaks is None:
        assert with_verdict("failed", found) == set()


def test_a_method_that_makes_no_handler_is_a_fault() -> None:
    """An adapter with several roles has a method `handler`."""

    class Wrong:
        capabilities = ("streaming",)

        def handler(self) -> object:
            return "no handler"

    with closing(PythonTarget(Wrong, "made here")) as target:
        result = judge(CASES[0], target)

    assert result.verdict == "errored"
    assert "return a loopspec_reference.Handler" in str(result)
