"""An invariant that does not hold in a case is a result of its own: reported, replayable, known to baselines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from msgspec.structs import replace

from loopspec import Stage, ToolAnswer, ToolRequest
from loopspec.contract.calls import ModelRequest
from loopspec.contract.faults import UsageError
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Event, ModelCall, Observation
from loopspec.contract.target import Target
from loopspec.contract.values import Message
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.judge import judge
from loopspec.engine.result import FAILURES
from loopspec.engine.run import SuiteRun, Summary
from loopspec.reports.account import account_of, read_account
from loopspec.reports.jsonl import Report
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.invariants import InvariantCase, invariants, looked_at
from loopspec.specification.invariants.scenes import Story
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import case_named
from loopspec.targets.python import PythonTarget
from loopspec.targets.resolve import resolve
from loopspec_mutants import BUGS, MUTANTS
from loopspec_mutants.trial import DEADLINE

from ...sharing import share
from ..small_loops import SmallLoop

CASE = next(case for case in cases_of_rule("LOOP-03") if case.title == "An empty result")
SEVERAL = "INVARIANT-17"  # the rule about several runs of an agent
BROKEN = f"{CASE.id} + calls-have-results"
VARIED = f"{CASE.id} + streaming"


@pytest.fixture
def target() -> Iterator[Target]:
    """An agent whose requests have a call without a result."""
    with closing(BUGS["leaves-out-empty-results"].target()) as found:
        yield found


def run_of(target: Target, *known: str, report: Report | None = None) -> tuple[SuiteRun, Summary]:
    """A run of one case, which breaks an invariant as well."""
    baseline = Baseline(tuple(Known(case=name, reason="a test") for name in known))
    suite_run = SuiteRun(target, "py:agent", [CASE], baseline=baseline)
    if report:
        report.begin(suite_run)
        suite_run.watchers.append(report.case)
    suite_run.canary = True
    suite_run.take(judge(CASE, target))
    summary = suite_run.finish()
    if report:
        report.write(summary)
    return suite_run, summary


def test_an_invariant_is_a_rule() -> None:
    """Invariants and the rules with the status "invariant" are the same."""
    rules = [rule for rule, row in ledger().rules.items() if row.status == "invariant"]

    assert [invariant.rule for invariant in invariants().values()] == rules


def test_an_invariant_that_does_not_hold_is_charged(target: Target) -> None:
    """The case of the invariant has the id of the case that was performed, and the rule of the invariant."""
    suite_run, summary = run_of(target)

    assert suite_run.results[BROKEN].verdict == "failed"
    assert suite_run.results[BROKEN].rules == ("INVARIANT-01",)
    assert (summary.planned, summary.accounted, summary.exit_code) == (len(suite_run.results), summary.planned, 1)
    verdicts = {rule: verdict for rule, (_, verdict) in suite_run.outcomes().items()}
    assert (verdicts["LOOP-03"], verdicts["INVARIANT-01"]) == ("failed", "failed")
    assert verdicts["INVARIANT-03"] == "passed"


def test_the_report_has_the_case_of_the_invariant(target: Target, tmp_path: Path) -> None:
    """The account of the run equals that of its report."""
    with closing(Report(tmp_path / "report.jsonl")) as report:
        suite_run, summary = run_of(target, report=report)
    account = read_account(tmp_path / "report.jsonl")

    assert [reported.case.id for reported in account.cases] == list(suite_run.results)
    assert account.counts == account_of(suite_run, summary).counts
    assert {rule.id: rule.state for rule in account.rules.values()} == {
        rule: verdict for rule, (_, verdict) in suite_run.outcomes().items()
    }


def test_a_baseline_names_the_case_of_the_invariant(target: Target) -> None:
    """A known failure of an invariant does not fail the run."""
    broken = list(run_of(target)[0].results)

    suite_run, summary = run_of(target, *broken)

    assert {result.verdict for result in suite_run.results.values()} == {"known"}
    assert summary.exit_code == 0


def test_a_baseline_file_names_the_case_of_the_invariant(tmp_path: Path) -> None:
    """A baseline file may name the cases of invariants and of variants, and no other cases."""
    file = tmp_path / "baseline.toml"
    file.write_text("".join(f'[[known]]\ncase = "{name}"\nreason = "a test"\n' for name in (BROKEN, VARIED)))
    assert [known.case for known in load_baseline(file, compiled()).known] == [BROKEN, VARIED]

    file.write_text(f'[[known]]\ncase = "{CASE.id} + unknown"\nreason = "a test"\n')
    with pytest.raises(UsageError, match="there is no case or rule"):
        load_baseline(file, compiled())


def test_an_invariant_that_holds_again_is_stale() -> None:
    """An entry for the case of an invariant is stale if the invariant holds."""
    with closing(resolve("reference")) as reference:
        _, summary = run_of(reference, BROKEN)

    assert (summary.stale, summary.exit_code) == ((BROKEN,), 3)


def test_the_case_of_an_invariant_is_judged_alone(target: Target) -> None:
    """The name of the case is enough to judge the invariant again."""
    case = case_named(BROKEN)

    assert isinstance(case, InvariantCase)
    assert judge(case, target).verdict == "failed"


@pytest.mark.long
def test_every_invariant_is_judged_and_holds_on_the_reference() -> None:
    """Each invariant is judged in most cases in which an agent runs; the rule about several runs, in most of those.

    The order of hooks is judged in the cases without the plugin layer.
    """
    cases = {case.id: case for case in compiled()}
    with closing(resolve("reference")) as reference:
        results = [judge(case, reference) for case in cases.values()]
    runs = [result for result in results if cases[result.case].scene.act == "run"]

    assert [broken.case for result in results for broken in result.broken] == []
    for invariant in invariants().values():
        about = [each for each in runs if len(cases[each.case].scene.runs) > 1] if invariant.rule == SEVERAL else runs
        assert sum(invariant.rule in result.holds for result in about) > 0.55 * len(about), invariant.name


@pytest.mark.long
@pytest.mark.parametrize("name", [mutant.name for mutant in MUTANTS.values() if mutant.rule.startswith("INVARIANT-")])
def test_only_invariants_notice_their_mutants(name: str) -> None:
    """Every check of an example passes on the mutant of an invariant, apart from those of its neighbors."""
    rule, drawn = MUTANTS[name].rule, share(compiled(), 2, list(MUTANTS).index(name))
    with closing(MUTANTS[name].target()) as target:
        results = [judge(case, target, deadline=DEADLINE) for case in drawn]
        if all(rule not in broken.rules for result in results for broken in result.broken):
            results += [judge(case, target, deadline=DEADLINE) for case in set(compiled()).difference(drawn)]

    failed = [result for result in results if result.verdict in FAILURES]
    assert [result.case for result in failed if not {*result.rules} <= {*MUTANTS[name].neighbors}] == []
    assert rule in {rule for result in results for broken in result.broken for rule in broken.rules}


def test_every_invariant_has_a_mutant() -> None:
    """The ledger names a mutant for each invariant."""
    named = {rule: row.mutant for rule, row in ledger().rules.items() if row.status == "invariant"}
    assert named == {mutant.rule: name for name, mutant in MUTANTS.items() if mutant.rule in named}


def test_an_invariant_that_cannot_read_the_observation_does_not_hold() -> None:
    """An adapter in Python may report a text that is none: the run continues with the next invariant."""
    message = Message(role="assistant", content=None)  # type: ignore[arg-type]  # as a target may
    seen = Observation(events=(Event(n=1, run="run 1", agent="agent", chunks=(message,)),))

    no = {invariant.name: no for invariant, no in looked_at(CASE, seen)}["answers-are-emitted"]

    assert no is not None
    assert (no.expected, no.seen.partition(":")[0]) == ("values of the declared types", "TypeError")


def test_scenes_without_a_run_have_no_invariant() -> None:
    """A load has no conversation."""
    load = next(case for case in compiled() if case.scene.act == "load")
    assert list(looked_at(load, Observation())) == []


class WithoutId(SmallLoop):
    """Calls each tool with one id, and as often as it says."""

    call_id: str | None = None
    times = 1

    async def tool(self, stage: Stage, request: ToolRequest) -> ToolAnswer | None:
        """Call the tool."""
        for _ in range(self.times):
            result = await super().tool(stage, structs.replace(request, call_id=self.call_id))
        return result


class Forgets(WithoutId):
    """Passes no id, and does not say that there is none."""

    call_id = ""


class Repeats(WithoutId):
    """Makes each call twice, without an id."""

    times = 2


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        (SmallLoop, None),
        (WithoutId, None),
        (Repeats, "the completed tool calls"),
        (
            Forgets,
            (
                "the completed calls '' of clear: the tool was called without `call_id`: pass the id of the model's "
                "call, or None (`null` in the protocol) if the framework passes no id to its tools"
            ),
        ),
    ],
)
def test_a_framework_that_passes_no_id_to_its_tools_is_judged(loop: type[SmallLoop], message: str | None) -> None:
    """A repeated call is noticed without ids, too; an adapter that forgets the id gets a hint."""
    with closing(PythonTarget(loop, "made here")) as target:
        result = judge(CASE, target)

    broken = {one.rules: one.message.partition("\n")[0] for one in result.broken}
    assert broken.get(("INVARIANT-07",)) == message
    assert ("INVARIANT-07" in result.holds) is (message is None)


@pytest.mark.parametrize(("full_history", "holds"), [(True, True), (False, False)])
def test_only_a_sub_agent_with_the_full_conversation_begins_with_answers(full_history: bool, holds: bool) -> None:
    """The first request of such a sub-agent has the answers of the outer agent, and later requests continue it."""
    case = cases_of_rule("AGENTTOOL-06")[0]
    (helper,) = [tool for tool in case.scene.agent.tools if tool.agent]
    agent = replace(case.scene.agent, tools=(replace(helper, full_history=full_history),))
    asked = Message(role="user", content="Hello.")
    answered = Message(role="assistant", content="I look it up.")

    def grows(*requests: tuple[Message, ...]) -> bool:
        calls = [
            ModelCall(n=n, run="1", model="helper's", request=ModelRequest(messages=messages))
            for n, messages in enumerate(requests)
        ]
        story = Story(replace(case.scene, agent=agent), Observation(model_calls=tuple(calls)))
        try:
            invariants()["conversation-grows"].look(story, story.seen)
        except Mismatch:
            return False
        return True

    assert grows((asked, answered)) is holds
    assert not grows((asked, answered), (asked, answered, answered))
