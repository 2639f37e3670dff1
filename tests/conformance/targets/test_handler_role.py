"""Handlers for the reference's loop, judged by the rules of the role `handler`."""

from __future__ import annotations

import re
from typing import cast

import pytest

import loopspec_reference as ref
from loopspec.contract.faults import TargetUnusable
from loopspec.engine.judge import judge
from loopspec.specification.cases import Case
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


class Claiming(Noting):
    """Claims to be idempotent and is not."""

    capabilities = ("idempotent",)


def instructions() -> AgentsMD[ref.Message]:
    """The AgentsMD middleware with a file."""
    handler = AgentsMD(Config(backend=ref.MemoryBackend({"/p/a.md": b"Be brief."}), files=["/p/a.md"]), ref.Message)
    handler.capabilities = ("idempotent",)  # type: ignore[attr-defined]  # what it claims
    handler.loopspec_changes = ("requests",)  # type: ignore[attr-defined]  # what it is for
    return handler


def verdicts(factory: object) -> dict[str, set[str]]:
    """The verdicts of each rule of the role."""
    assert callable(factory)
    target = PythonTarget(factory, "made here")
    found: dict[str, set[str]] = {}
    for case in CASES:
        result = judge(case, target)
        for rule in case.rule.ids:
            found.setdefault(rule, set()).add(result.verdict)
    target.close()
    return found


def test_a_factory_of_a_handler_is_a_target() -> None:
    """The factory of a handler is enough."""
    target = PythonTarget(Noting, "made here")

    assert (target.roles, target.identity.name) == (frozenset({"handler"}), "Noting")
    target.close()


# The rules whose examples look at requests, and the one about a no-op.
OF_REQUESTS = ("HANDLER-06", "HANDLER-07", "HANDLER-14")


def test_a_handler_is_not_judged_by_what_it_does_not_claim() -> None:
    """A handler may add notes repeatedly unless it claims to be idempotent."""
    found = verdicts(Noting)

    for rule in ("HANDLER-05", *OF_REQUESTS):
        assert found.pop(rule) == {"inapplicable"}
    assert set(found) >= {f"HANDLER-{n:02}" for n in range(1, 5)}
    assert set.union(*found.values()) == {"passed"}


def test_an_undeclared_change_fails() -> None:
    """Every rule that looks at requests fails, and no other."""

    class Silent(Noting):
        loopspec_changes = ()

    found = verdicts(Silent)

    assert sorted(rule for rule, seen in found.items() if "failed" in seen) == list(OF_REQUESTS)


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


def test_a_false_claim_fails() -> None:
    """No other rule fails."""
    found = verdicts(Claiming)

    assert {rule for rule, seen in found.items() if "failed" in seen} == {"HANDLER-05"}


def test_the_agentsmd_handler_is_as_idempotent_as_it_claims() -> None:
    """The reference's own middleware passes the rules for handlers."""
    found = verdicts(instructions)

    for rule in OF_REQUESTS:
        assert found.pop(rule) == {"inapplicable"}
    assert set(found) >= {f"HANDLER-{n:02}" for n in range(1, 6)}
    assert set.union(*found.values()) == {"passed"}


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


class Unwrapping(ref.Handler[M]):
    """A handler whose model wrapper returns no endpoint."""

    def wrap_model(self, endpoint: ref.ModelEndpoint[M], context: ref.ModelContext[M]) -> ref.ModelEndpoint[M]:
        """Return None."""
        return None  # type: ignore[return-value]  # the bug


@pytest.mark.parametrize(
    ("factory", "breaks"),
    [(Wrapping, None), (Marking, "HANDLER-01"), (Forgetting, "HANDLER-02"), (Unwrapping, "HANDLER-02")],
)
def test_a_wrapper_is_judged_by_each_call(factory: type[ref.Handler[M]], breaks: str | None) -> None:
    """The request must not change, and the answer must be returned."""
    found = verdicts(factory)

    failed = {rule for rule, seen in found.items() if "failed" in seen}
    assert failed >= ({breaks} if breaks else set())
    assert "errored" not in set().union(*found.values())
    if not breaks:
        assert failed == set()


@pytest.fixture
def any_case() -> Case:
    """A case of the role."""
    return CASES[0]


def test_a_method_that_makes_no_handler_is_a_fault(any_case: Case) -> None:
    """An adapter with several roles has a method `handler`."""

    class Wrong:
        capabilities = ("streaming",)

        def handler(self) -> object:
            return "no handler"

    target = PythonTarget(Wrong, "made here")
    result = judge(any_case, target)
    target.close()

    assert result.verdict == "errored"
    assert "return a loopspec_reference.Handler" in str(result)
