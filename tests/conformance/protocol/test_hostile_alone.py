"""One misbehavior at a time: at every message, at the start, after a restart, and repeatedly."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec import TargetUnusable
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.process.child import Child
from loopspec.targets.process.connection import Connection
from loopspec.targets.process.target import ProcessTarget, words_of

from ..process import reported, run_loopspec
from .hostile.command import adapters, hostile
from .hostile.judged import CASES, HEALTHY, run

pytestmark = pytest.mark.long

MESSAGES = 7  # of the second case: three reads with their answers, and the result


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own current folder."""
    monkeypatch.chdir(tmp_path)


def test_the_adapter_is_healthy_by_itself() -> None:
    """The other tests compare with these verdicts."""
    results, aborted = run()

    assert ([result.verdict for result in results], aborted) == (HEALTHY, "")
    assert adapters(Path()) == []


@pytest.mark.parametrize("how", ["at", "within"])
@pytest.mark.parametrize("message", range(MESSAGES + 3))
def test_dying_at_any_message_of_a_case_costs_that_case(how: str, message: int) -> None:
    """The adapter exits before a message or within it. Exiting after the answer to `case/end` costs no case."""
    results, aborted = run(f"dies-{how}-{message}@2", cases=CASES[:3])

    own = "passed" if message == MESSAGES + 2 else "crashed"
    assert ([result.verdict for result in results], aborted) == (["passed", own, "passed"], "")
    if own == "crashed":
        awaited = "loader/load" if message < MESSAGES else "case/end"
        said = f"the process of hostile ended with exit code 3 before it answered {awaited}"
        assert results[1].message == said
        assert '"method":"loader/load"' in results[1].evidence["messages"]


@pytest.mark.parametrize("how", ["dies-at-0", "dies-within-0", "dies-at-1", "dies-within-1"])
def test_dying_at_any_message_of_the_beginning_is_one_sentence(how: str) -> None:
    """If the adapter does not start, nothing is judged."""
    with pytest.raises(TargetUnusable) as caught:
        run(how)

    assert str(caught.value) == "the adapter ended with exit code 3 before it answered initialize"


PRINTED = "to its standard output, which is for messages only: print to standard error instead"
AGREED = "the adapter did not start as agreed: the adapter "
BEGINNINGS = {
    "is-gone": "the adapter ended with exit code 7 before it answered initialize; stderr ends with 'no license'",
    "is-gone-after-a-message": "the adapter ended with exit code 7 before it answered initialize",
    "is-gone-in-the-middle-of-its-answer": "the adapter was ended by SIGKILL before it answered initialize",
    "prints-a-banner": f"{AGREED}printed 'Hostile 1.0 (c)' {PRINTED}",
    "speaks-no-such-version": f"{AGREED}speaks no version of the protocol that this suite speaks (3): not 3",
    "speaks-version-99": (
        "the adapter speaks version 99 of the protocol, and this suite speaks version 3: see `loopspec protocol --page`"
    ),
    "breaks": f"{AGREED}reports a fault of its own: no framework here",
}


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_wrong_start_is_one_sentence(beginning: str) -> None:
    """The sentence says what to correct."""
    with pytest.raises(TargetUnusable) as caught:
        run(beginning)

    assert str(caught.value) == BEGINNINGS[beginning]
    assert adapters(Path()) == []


@pytest.mark.parametrize("beginning", ["is-silent", "floods"])
def test_a_start_has_a_deadline(beginning: str) -> None:
    """The deadline applies however much the adapter writes."""
    words = words_of(hostile(beginning).removeprefix("cmd:"))

    with pytest.raises(TargetUnusable, match=r"^the adapter did not answer initialize within 0\.5 s$"):
        Connection(words, start=0.5)

    assert adapters(Path()) == []


def test_a_command_that_cannot_be_started_is_one_sentence() -> None:
    """The target is unusable."""
    with pytest.raises(TargetUnusable) as caught:
        ProcessTarget("no/such/adapter --with 'an option'")

    assert str(caught.value) == "the command 'no/such/adapter' cannot be started: No such file or directory"


def test_ctrl_c_during_the_start_ends_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The starting process is ended."""

    def interrupted(child: Child, timeout: float) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(Child, "receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("is-silent")

    assert adapters(Path()) == []


def test_an_unusable_adapter_is_exit_code_4(tmp_path: Path) -> None:
    """The command line prints the sentence and nothing else."""
    ended = run_loopspec(tmp_path, "run", hostile("speaks-no-such-version"), "--quiet")

    assert (ended.code, ended.said) == (4, f"loopspec: {BEGINNINGS['speaks-no-such-version']}\n")


def test_a_request_before_the_first_case_is_rejected() -> None:
    """A read before the first case is rejected; an unknown notification is ignored."""
    results, _ = run("is-talkative")

    assert [result.verdict for result in results] == HEALTHY


@pytest.mark.parametrize("beginning", ["changes-its-version-once", "starts-every-second-time"])
def test_a_failed_restart_is_repeated(beginning: str) -> None:
    """The case that waits for the restart has the same verdict as without it."""
    results, aborted = run(beginning, "exits@2")

    assert ([result.verdict for result in results], aborted) == (["passed", "crashed", *["passed"] * 3], "")


USELESS = {
    "changes-its-version": "the adapter was hostile 1 and is hostile 4 after a restart: ",
    "changes-its-roles": "hostile 1 declares other roles, capabilities or postures after a restart: ",
    "starts-only-once": "the adapter ended with exit code 1 before it answered initialize; stderr ends with ",
}


@pytest.mark.parametrize("beginning", USELESS)
def test_three_useless_restarts_stop_the_run(beginning: str) -> None:
    """Finished cases are kept; the remaining cases are not run."""
    results, aborted = run(beginning, "exits@2")

    assert [result.verdict for result in results] == ["passed", "crashed", *["not-run"] * 3]
    assert aborted.startswith(f"hostile was restarted 3 times without success: {USELESS[beginning]}")
    assert {result.message for result in results[2:]} == {aborted}
    assert Path("starts").stat().st_size == 4


def test_a_slow_restart_does_not_count_as_time_of_a_case(tmp_path: Path) -> None:
    """A restart may take longer than the deadline of a case."""
    ended = run_loopspec(
        tmp_path, "run", hostile("starts-slowly-again", "exits@2"), "--role=loader", "--area=AMD-ORDER", "--timeout=1",
        "--report=r", "-q",
    )  # fmt: skip

    report = reported(tmp_path / "r")
    assert (ended.code, report.summary.aborted) == (1, "")
    assert [line.verdict for line in report.cases][:3] == ["passed", "crashed", "passed"]


def test_an_adapter_that_exits_in_every_case_stops_the_run(tmp_path: Path) -> None:
    """After the first case and three restarts, the exit code says that the adapter is unusable."""
    ended = run_loopspec(
        tmp_path, "run", hostile("dies-in-every-case"), "--role=loader", "--area=AMD-BACKEND", "--report=r", "-q"
    )

    report = reported(tmp_path / "r")
    judged = [line.verdict for line in report.cases if line.verdict != "inapplicable"]
    assert (ended.code, judged[:5], set(judged[4:])) == (4, [*["crashed"] * 4, "not-run"], {"not-run"})
    why = "the process of hostile ended with exit code 9 before it answered loader/load"
    last = f"is unusable: hostile was restarted 3 times without success: {why}. The rest was not run."
    assert ended.said.splitlines()[-1].endswith(last)


def test_many_consecutive_cases_may_crash() -> None:
    """A process that answers something in each case is restarted without limit."""
    results, aborted = run(*(f"exits@{number}" for number in range(2, 11)), cases=_many(11))

    assert ([result.verdict for result in results], aborted) == (["passed", *["crashed"] * 9, "passed"], "")


def test_repeated_output_between_cases_is_an_error() -> None:
    """Output between cases is ignored three times; then the case in which it is read is errored."""
    results, _ = run("prints-after-every-case", cases=_many(8))

    assert [result.verdict for result in results] == [*["passed"] * 4, "errored", "passed", "errored", "passed"]
    assert results[4].message == f"the adapter printed 'good bye' {PRINTED}"


def _many(count: int) -> list[Case]:
    return [case for case in compiled() if "loader" in case.roles and case.rule.ids[0].startswith("AMD-IMPORT")][:count]
