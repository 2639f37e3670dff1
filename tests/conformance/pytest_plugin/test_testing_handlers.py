"""The rules for handlers as a class for a user's test module."""

from __future__ import annotations

import pytest

from loopspec.specification.features import cases_of_rule

from .conftest import Judged

HEAD = """
import pytest
from msgspec.structs import replace
import loopspec_agent as toy
from loopspec.testing import HandlerConformance
from loopspec_reference import Handler, Message


class Silent(Handler):
    pass


class Noting(Handler):
    async def before_model(self, state, context):
        return replace(state, messages=(*state.messages, Message.user("a note")))


async def does_nothing(event, messages):
    return messages


async def adds_a_note(event, messages):
    return [*messages, {"role": "user", "content": "a note"}] if event == "before model" else messages


async def passes(name, call_id, args, call):
    return await call(args)


async def hides_errors(name, call_id, args, call):
    try:
        return await call(args)
    except Exception as error:
        return f"failed: {error}"


class ToyLoop(toy.Adapter):
    "The toy loop of `loopspec init`. A handler is a hook and a wrapper of tool calls."

    def build(self, parts):
        pairs = parts.handlers(lambda double: (toy.hook_of(double), double.around_tool))
        loop = super().build(parts)
        loop.hooks, loop.wraps = [hook for hook, _ in pairs], [wrap for _, wrap in pairs]
        return loop


class TestMine(HandlerConformance):
"""
MAKE = """
    @pytest.fixture
    def make_handler(self):
        return %s
"""
# Of the scenes of agents, those of two features: one has conversations, the other one errors.
LOOP, FAILURES = "agent/loop/loop.feature", "agent/loop/failures.feature"
SOME = ("-rsf", "-k", f"notices or test_scenario or {LOOP} or {FAILURES}")


def failed(ran: pytest.RunResult) -> set[str]:
    """The rules and the features of the failed tests."""
    names = [line.partition("[")[2] for line in ran.outlines if line.startswith("FAILED")]
    return {name.partition(" ")[0] for name in names}


def test_a_handler_is_judged_by_a_class_and_a_fixture(judged: Judged) -> None:
    """A handler that does nothing passes every rule; the claim to be idempotent is none of the class."""
    ran = judged(HEAD + MAKE % "Silent", *SOME)

    ran.assert_outcomes(passed=30, skipped=1)  # the canary, 25 of 26 scenarios, and two features in two variants
    ran.stdout.fnmatch_lines(["SKIPPED*needs idempotent"])


def test_an_undeclared_change_fails(judged: Judged) -> None:
    """The rules about requests fail, and so do the scenes of agents."""
    ran = judged(HEAD + MAKE % "Noting", *SOME)

    assert failed(ran) == {"HANDLER-06", "HANDLER-07", "HANDLER-14", LOOP}
    ran.stdout.fnmatch_lines(["HANDLER-17: *", f"{LOOP}:* Then *", "why:   loopspec explain *"])
    ran.stdout.no_fnmatch_line("*Traceback*")


def test_a_known_failure_of_a_handler_is_expected(judged: Judged) -> None:
    """A case in `known` that passes fails."""
    first, *_ = [case.id for case in cases_of_rule("HANDLER-07")]
    body = f"    known = {{{first!r}: 'it notes'}}\n"

    ran = judged(HEAD + body + MAKE % "Noting", "-rx", "-k", "HANDLER-07")
    stale = judged(HEAD + body + MAKE % "Silent", "-k", "HANDLER-07")

    assert ran.parseoutcomes()["xfailed"] == stale.parseoutcomes()["failed"] == 1
    ran.stdout.fnmatch_lines(["XFAIL *known: it notes"])
    stale.stdout.fnmatch_lines([f"the case passes: remove '{first}' from `known`"])


def test_a_declared_change_is_not_judged(judged: Judged) -> None:
    """The other rules are judged, and pass."""
    ran = judged(HEAD + "    changes = ('requests',)\n" + MAKE % "Noting", *SOME)

    outcomes = ran.parseoutcomes()
    assert "failed" not in outcomes
    assert outcomes["passed"] >= 15
    ran.stdout.fnmatch_lines(["SKIPPED*keeps-requests*"])


@pytest.mark.parametrize(
    ("handler", "changes", "breaks"),
    [
        ("(does_nothing, passes)", (), set()),
        ("(adds_a_note, passes)", (), {"HANDLER-07", LOOP}),
        ("(adds_a_note, passes)", ("requests",), set()),
        ("(does_nothing, hides_errors)", (), {"HANDLER-12", FAILURES}),
        ("(does_nothing, hides_errors)", ("tool-errors",), set()),
    ],
)
def test_a_handler_of_a_loop_of_ones_own(
    handler: str, changes: tuple[str, ...], breaks: set[str], judged: Judged
) -> None:
    """The attribute `adapter` names the adapter of the loop, which is built on the toolkit."""
    body = f"    adapter = ToyLoop\n    changes = {changes!r}\n"
    ran = judged(HEAD + body + MAKE % f"lambda: {handler}", *SOME)

    assert failed(ran) == breaks
    assert ran.parseoutcomes()["passed"] >= 4


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        ("object", "makes <object object at *>: a handler is a loopspec_reference.Handler or *; for another *"),
        ("Silent()", "returns <*Silent object at *>: return the class of the handler, or a function that makes one"),
        ("lambda: 1 / 0", "fails: ZeroDivisionError: division by zero (*.py:* in *)"),
    ],
)
def test_a_wrong_factory_is_one_sentence(returned: str, sentence: str, judged: Judged) -> None:
    """The sentence says what to return, without a traceback."""
    ran = judged(HEAD + MAKE % returned, "-k", "HANDLER-07")

    ran.stdout.fnmatch_lines([f"make_handler of TestMine {sentence}"])
    ran.stdout.no_fnmatch_line("*handlers.py:*: in *")
    assert ran.parseoutcomes().keys() == {"failed", "deselected"}


def test_features_without_a_scene_for_the_framework_have_one_reason(judged: Judged) -> None:
    """pytest prints one line for all of them, and not one for each list of capabilities."""
    ran = judged(
        HEAD + "    adapter = ToyLoop\n" + MAKE % "lambda: (does_nothing, passes)",
        "-rs",
        "-k",
        "agent_scenes and stopping",
    )

    lines = [line for line in ran.outlines if line.startswith("SKIPPED")]
    assert len(lines) == 1
    assert lines[0].endswith(": no scene of the feature applies to the framework")


def test_a_missing_fixture_is_an_error(judged: Judged) -> None:
    """The sentence names the fixture."""
    ran = judged(HEAD + "    pass\n", "-k", "HANDLER-07")

    ran.stdout.fnmatch_lines(["*TestMine gives no fixture make_handler: see loopspec.testing"])
