"""The controller of a divided run: it judges nothing, and adds up what its workers say.

It is registered in every divided run of whoever has loopspec installed: what costs time is imported when needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Protocol

import pytest

from ...contract.faults import KitError, TargetUnusable, UsageError
from .. import entry as plugin
from .folder import KEY, ORDER, Folder

if TYPE_CHECKING:
    from ...engine.run import Running
    from .wire import Plan, Told

CONTROLLER = "loopspec-controller"


class _Gateway(Protocol):
    id: str


class _Node(Protocol):
    """What we use of xdist's `WorkerController`; it has no types of its own."""

    workerinput: dict[str, object]
    gateway: _Gateway


class Controller:
    """Takes the results of all workers into one `Running` for each target: `ordered`, or as the workers have planned.

    `refused` is why the run cannot begin, for who has ordered it.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.ordered: Running | None = None
        self.refused: KitError | None = None
        self._config = config
        self._folder = Folder.new()
        self._runnings: dict[str, Running] = {}
        self._tests: dict[str, tuple[str, str]] = {}  # by node id: the target and the case
        self._ready: set[str] = set()
        self._lost: list[str] = []  # what workers did when they were lost

    # -- workers come and go -----------------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: _Node) -> None:
        """Tell a worker where to write, and what is ordered."""
        node.workerinput[KEY] = self._folder.path
        if self.ordered:
            from ...reports.jsonl import encoded
            from .wire import Order

            cases = tuple(case.id for case in self.ordered.plan)
            node.workerinput[ORDER] = encoded(Order(self.ordered.name, cases, self.ordered.role))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: _Node) -> None:
        """Begin, when the first worker has collected."""
        self._ready.add(node.gateway.id)
        plan = self._plan(node)
        if plan and plan.refusal:
            self._refuse(UsageError(plan.refusal))
        if plan and not self._tests:
            self._begin(plan)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: _Node, error: object) -> None:
        """Find out why a worker is gone. One that was lost before it could begin would not fare better again."""
        if error is None or error == "keyboard-interrupt":
            return
        plan = self._plan(node)
        if plan and plan.refusal:
            self._refuse(TargetUnusable(plan.refusal))
        if node.gateway.id not in self._ready and (self.ordered or self._runnings):
            why = str(error).strip().rpartition("\n")[2]  # of a traceback
            which = "one worker process after the other was lost, and the last" if self._ready else "a worker process"
            self._refuse(TargetUnusable(f"{which} ended before its first case: {why}"))

    def _plan(self, node: _Node) -> Plan | None:
        file = self._folder.plan(node.gateway.id)
        if not file.exists():
            return None  # there is nothing of ours in this run
        import msgspec

        from .wire import Plan

        return msgspec.json.decode(file.read_bytes(), type=Plan)

    def _begin(self, plan: Plan) -> None:
        from ...specification.cases import compiled
        from ...targets.absent import AbsentTarget

        cases = {case.id: case for case in compiled()}
        for name, part in plan.parts.items():
            self._tests |= {test: (name, case) for test, case in part.tests.items()}
            if self.ordered:
                self._runnings[name] = self.ordered
                continue
            target = AbsentTarget(part.identity, part.roles, part.capabilities)
            try:
                self._runnings[name] = plugin.session().begin(name, target, [cases[case] for case in part.cases])
            except KitError as error:
                self._refuse(error)

    def _refuse(self, error: KitError) -> NoReturn:
        """End the run. What there is of results is accounted for."""
        self.refused = error
        for running in self._runnings.values():
            running.aborted = running.aborted or str(error)
        if self.ordered:
            pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
        raise pytest.UsageError(f"loopspec: {error}")

    # -- results -----------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a worker says, before anybody is shown it; and say what it no longer could."""
        if said := vars(report).get(KEY):
            self._take(self._told(said))
        elif report.nodeid in self._tests and report.when not in ("setup", "call", "teardown"):
            self._lose(report)

    def _told(self, said: bytes) -> Told:
        import msgspec

        from .wire import Told

        return msgspec.json.decode(said, type=Told)

    def _take(self, told: Told) -> None:
        from ...reports.jsonl import result_of

        running = self._runnings[told.target]
        if told.canary is not None:
            running.canary = told.canary
        if told.line:
            running.take(result_of(told.line))
        running.aborted = running.aborted or told.aborted

    def _lose(self, report: pytest.TestReport) -> None:
        """Account for the case in which a worker ended, by its own last words or without any."""
        from ...engine.judge import Result
        from ..session import show

        name, id_ = self._tests[report.nodeid]
        running = self._runnings[name]
        case = next((case for case in running.plan if case.id == id_), None)
        self._lost.append(id_)
        if case is None:
            return  # the canary: it is asked once more, in this process
        file = self._folder.last_words(vars(report)["node"].gateway.id)
        if id_ in running.results:
            self._refuse(TargetUnusable(f"a worker process ended after {id_!r}, which was judged by then"))
        if file.exists():
            self._take(self._told(file.read_bytes()))
        else:
            message = f"{running.target.identity.name} took the process down that it was judged in"
            where = f"{case.file}:{case.line}"
            running.take(Result(case.id, case.rule.ids, "crashed", location=where, message=message, scene=case.scene))
        show(report, case, running.results[id_], running)

    # -- the end -----------------------------------------------------------------------------------------------

    def pytest_keyboard_interrupt(self) -> None:
        """Let no worker go on with what was ordered. What else a user's own workers do is left to xdist."""
        if self.ordered:
            self._folder.remove()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Say why there are results missing, when xdist has given up replacing workers."""
        for running in self._runnings.values():
            missing = len(running.results) < len(running.plan)
            if missing and self._lost and not running.aborted and session.exitstatus != pytest.ExitCode.INTERRUPTED:
                running.aborted = f"{len(self._lost)} worker processes were lost, the last one in {self._lost[-1]!r}"

    def pytest_unconfigure(self) -> None:
        """Leave nothing behind."""
        self._folder.remove()
