"""`loopspec doctor` on adapters in Python: frequent mistakes of authors, and the doctor's message for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing

import pytest

from loopspec import ROLES, Identity
from loopspec.contract.axes import declared_dialect
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import dialect_names
from loopspec.contract.roles import Role
from loopspec.engine.doctor import smoke_cases, smoke_rules
from loopspec.engine.judge import applies, judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.declared import ADAPTER_METHODS, BACKEND_METHODS
from loopspec.targets.resolve import AbsentTarget, resolve

HEAD = """
from loopspec import ModelRequest

class Store:
    def __init__(self, files):
        self.files = dict(files)

    def read(self, request):
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        return self.files[request.file_path]
"""
BACKEND = """
class Adapter:
    name = "mine"

    def open(self, files):
        return Store(files)
"""
# an agent loop without handlers, which is enough for rules about models and tools
_HOOKS = '    capabilities = ("before-model-edits", "before-model-hooks", "tool-wrappers")\n'
AGENT = """
class UnknownTool(Exception):
    pass

class Adapter:
    error_kinds = {UnknownTool: "unknown_tool"}

    async def perform(self, stage):
        async for batch in stage.runs.concurrent_runs():
            for run in batch:
                with stage.runs.running(run):
                    try:
                        await self._loop(stage, stage.scene.agent, stage.runs.messages(run))
                    except Exception as error:
                        stage.runs.event(stage.scene.agent.name, error=error)
                        raise

    async def _loop(self, stage, agent, messages):
        while True:
            answer = await stage.doubles.generate(agent.model.name, ModelRequest(messages=tuple(messages)))
            stage.runs.event(agent.name, answer)
            messages.append(answer)
            for call in answer.tool_calls:
                if call.name not in [tool.name for tool in agent.tools]:
                    raise UnknownTool(call.name)
            for call in answer.tool_calls:
                request = ToolRequest(tool=call.name, call_id=call.id, args=call.args)
                result = await stage.doubles.invoke(request, NoInside())
                message = Message(role="tool", content=result.text, tool_call_id=call.id, tool_name=call.name)
                stage.runs.event(agent.name, message)
                messages.append(message)
            if not answer.tool_calls:
                return
"""
IMPORTS = "from loopspec import Message, ToolRequest\nfrom loopspec.contract.doubles import NoInside\n"

Doctor = Callable[[str], tuple[int, str]]

# the rules of the smoke cases of each role; those of the role workspace depend on the dialect
SMOKE = {role: kind.smoke for role, kind in ROLES.items() if role != "workspace"}


def declaring_hooks(agent: str) -> str:
    """The source of the agent loop, declaring hooks that the loop does not call."""
    return agent.replace("class Adapter:\n", f"class Adapter:\n{_HOOKS}")


@pytest.fixture
def doctor(examined: Doctor) -> Doctor:
    """Examines an adapter with the store above."""
    return lambda text: examined(HEAD + text)


@pytest.mark.parametrize(
    ("capability", "sentence"),
    [
        ("edits", "the opened backend has no write(), which the capability edits requires: <examined.Store object at"),
        ("fault-io", "the opened backend has no fault(), which the capability fault-io requires: <"),
        ("fault-permission", "the opened backend has no fault(), which the capability fault-permission requires: <"),
        ("language-zh", "py:examined:Adapter declares language-zh but has no set_language()"),
        ("edit", "declares the capability 'edit', which is none: did you mean 'edits'?"),
    ],
)
def test_a_declared_capability_needs_its_method(capability: str, sentence: str, doctor: Doctor) -> None:
    """For each declared capability with a method, one case is tried."""
    code, said = doctor(BACKEND.replace('name = "mine"', f'capabilities = ("{capability}",)'))

    assert code == 4
    assert "The adapter is at fault: " in said
    assert sentence in said
    assert "The smoke cases pass" not in said


@pytest.mark.parametrize(
    ("attribute", "meant"),
    [
        ('capabilites = ("edits",)', "capabilities"),
        ('capabilities_ = ("edits",)', "capabilities"),
        ('role = ("backend",)', "roles"),
        ("errors = {KeyError: 'not_exist'}", "error_kinds"),
        ("error_kind = {KeyError: 'not_exist'}", "error_kinds"),
        ("exceptions = {}", "error_kinds"),
    ],
)
def test_a_misspelled_declaration_is_a_fault(attribute: str, meant: str, doctor: Doctor) -> None:
    """A declaration under a misspelled name has no effect."""
    code, said = doctor(BACKEND.replace('name = "mine"', attribute))

    name = attribute.partition(" ")[0]
    assert code == 4
    sentence = f"py:examined:Adapter has `{name}`, which nothing reads: did you mean `{meant}`?"
    assert f"The adapter is at fault: {sentence} (a name of your own is `_{name}`)" in said


@pytest.mark.parametrize(
    ("method", "meant"),
    [("load_", "load"), ("handlers", "handler"), ("closed", "close"), ("setlanguage", "set_language")],
)
def test_a_method_that_may_be_misspelled_is_reported(method: str, meant: str, doctor: Doctor) -> None:
    """The name may be intended, so the exit code is 0; the last sentence mentions the name."""
    code, said = doctor(f"{BACKEND}\n    def {method}(self): ...\n")

    sentence = f"it has `{method}`, which nothing reads: did you mean `{meant}`?"
    assert code == 0
    assert f"– names 1 name that may be misspelled {sentence}" in said
    assert said.endswith(f"No fault was found, but {sentence}")


NEXT_TO_A_METHOD = "opens = lambda self: ...\n    close = lambda self: ...\n    closed"


@pytest.mark.parametrize("member", ["_capabilites", "_load", "roots", "files", "config", NEXT_TO_A_METHOD])
def test_an_unrelated_name_is_accepted(member: str, doctor: Doctor) -> None:
    """Names with an underscore, unlike any known one, or next to the method that they resemble."""
    code, said = doctor(f"{BACKEND}\n    {member} = ()\n")

    assert (code, said.endswith("The smoke cases pass; `loopspec run` judges the others.")) == (0, True)


def test_an_adapter_whose_only_method_is_misspelled(doctor: Doctor) -> None:
    """The adapter has no role; the message names the method that was probably meant."""
    code, said = doctor(BACKEND.replace("def open(", "def opn("))

    assert code == 4
    assert "which has no role: give it one of the methods open(), load()," in said
    assert "(it has opn: did you mean open?)" in said


@pytest.mark.parametrize(
    ("read", "hint", "seen"),
    [
        (
            "self.files[request.file_path]",
            "KeyError: 'missing.md' was raised; ",
            "KeyError: 'missing.md' (an error of no known kind, raised at examined.py:",
        ),
        ("self.files.get(request.file_path)", "", "read() returned None"),
    ],
    ids=["raises", "returns None"],
)
def test_a_failing_case_shows_the_hint_of_its_check(read: str, hint: str, seen: str, doctor: Doctor) -> None:
    """As in `loopspec run`; a backend that reads from a dictionary gets it both ways."""
    code, said = doctor(f"{BACKEND}\nStore.read = lambda self, request: {read}\n")

    assert code == 1
    assert f"{hint}in Python, raise FileNotFoundError for a missing file" in said
    assert f"expected: a missing-file error seen: {seen}" in said
    assert "The adapter works; 1 of 2 smoke cases failed in the implementation: AMD-BACKEND-05." in said


def test_an_agent_that_reports_its_errors(doctor: Doctor) -> None:
    """Rules about errors pass. Rules about hooks, which the loop does not have, are not tried."""
    code, said = doctor(IMPORTS + AGENT)

    assert code == 0
    assert "3 of 3 cases passed" in said
    assert said.endswith("The smoke cases pass; `loopspec run` judges the others.")


def test_an_agent_that_declares_hooks_and_does_not_call_them(doctor: Doctor) -> None:
    """Rules about declared hooks fail; rules about errors pass."""
    code, said = doctor(IMPORTS + declaring_hooks(AGENT))

    assert code == 1
    assert "4 of 6 cases passed; failed: HOOK-BM-07, HOOK-WT-02" in said
    assert "advisory" not in said


def test_an_agent_that_never_reports_an_error_event(doctor: Doctor) -> None:
    """A scripted failure requires an error event."""
    silent = AGENT.replace("stage.runs.event(stage.scene.agent.name, error=error)", "pass")

    _, said = doctor(IMPORTS + silent)

    assert "advisory: LOOP-16" in said
    hint = (
        "run 1 failed, and no event reports its error: report it, in Python with `stage.runs.event(agent, error=error)`"
    )
    assert f"LOOP-16: the events: {hint}" in said


@pytest.mark.parametrize("kinds", ["", "error_kinds = {}", "error_kinds = {KeyError: 'not_exist'}"])
def test_an_agent_whose_errors_have_no_kind(kinds: str, doctor: Doctor) -> None:
    """The cause is named if `error_kinds` is missing, empty, or lacks the exception."""
    _, said = doctor(IMPORTS + declaring_hooks(AGENT).replace('error_kinds = {UnknownTool: "unknown_tool"}', kinds))

    hint = "in Python, name the kind of your exception: `error_kinds = {YourError: 'unknown_tool'}`"
    assert "advisory: TOOLS-04" in said
    assert f"TOOLS-04: the kind of the error of run 1: {hint}" in said
    assert "expected: unknown_tool seen: UnknownTool: " in said
    assert "(an error of no known kind, raised at examined.py:" in said


def test_an_advisory_failure_is_not_everything_works(doctor: Doctor) -> None:
    """The exit code stays 0."""
    plugins = "from loopspec_reference_adapter import Reference\n\nclass Adapter(Reference):\n"
    plugins += "    roles = ('plugins',)\n    error_kinds = {}\n"
    plugins += "    capabilities = ('after-model-hooks', 'before-model-hooks', 'model-wrappers', 'several-handlers')\n"

    code, said = doctor(plugins)

    assert code == 0
    assert "3 of 4 cases passed; advisory: PLUGIN-12" in said
    assert said.endswith("No fault was found, but 1 advisory rule fails: PLUGIN-12.")


def test_each_role_has_its_smoke_cases() -> None:
    """Each rule has a case for an adapter that declares everything."""
    for role, rules in SMOKE.items():
        assert [case.rule.ids[0] for case in smoke_cases(role, frozenset(CAPABILITIES))][: len(rules)] == list(rules)


@pytest.mark.parametrize("role", SMOKE)
def test_a_smoke_case_needs_only_declared_capabilities(role: Role) -> None:
    """Each adapter can be tried on cases of its role, also if it declares nothing."""
    cases = smoke_cases(role, frozenset())

    assert cases
    assert [case.id for case in cases if case.needs - ROLES[role].implies] == []
    if role not in ("agent", "plugins"):
        assert [case.rule.ids[0] for case in cases] == list(SMOKE[role])


@pytest.mark.parametrize("name", dialect_names())
def test_each_dialect_has_smoke_cases(name: str) -> None:
    """They are cases of the dialect's own values, and the reference passes them."""
    postures = declared_dialect(name)
    cases = smoke_cases("workspace", frozenset(), postures)

    assert cases
    assert [case.rule.ids[0] for case in cases if case.rule.ids[0] not in smoke_rules("workspace", postures)] == []
    with closing(resolve(f"reference as {name}")) as target:
        assert {judge(case, target).verdict for case in cases} == {"passed"}


def test_an_adapter_with_a_workspace_is_examined_in_its_dialect(doctor: Doctor) -> None:
    """A documented value is normative, a measured one is advisory, and the hint is about no axis of files."""
    reader = "from loopspec import WorkspaceReading\n\nclass Adapter:\n    dialect = 'codex'\n"
    reader += "    def read_workspace(self, cwd, home):\n        return WorkspaceReading([])\n"

    code, said = doctor(reader)

    assert code == 1
    assert "roles workspace" in said
    assert "INS-WALK-01" in said
    assert "declare a posture" not in said


def test_each_capability_has_a_case() -> None:
    """A declaration that nothing tries would be a promise without evidence."""
    assert BACKEND_METHODS.keys() | ADAPTER_METHODS.keys() <= CAPABILITIES.keys()
    for role in ROLES:
        target = AbsentTarget(Identity(name="able"), (role,), frozenset(CAPABILITIES))
        judged = [case for case in compiled() if applies(case, target)]
        tried = smoke_cases(role, frozenset(CAPABILITIES))
        assert needed(tried) == needed(judged) - {"resources"}

    for capability in BACKEND_METHODS:
        (*_, last) = smoke_cases("backend", frozenset({capability}))
        assert last.needs == {capability}
    assert "language-zh" in smoke_cases("middleware", frozenset({"language-zh"}))[-1].needs


def needed(cases: Iterable[Case]) -> set[str]:
    """The capabilities that the cases need."""
    return {name for case in cases for name in case.needs}


def test_a_capability_that_a_loop_does_not_have_is_found(doctor: Doctor) -> None:
    """The declaration is tried, also where no smoke case of the role needs the capability."""
    hooks = 'class Adapter:\n    capabilities = ("before-agent-hooks",)\n'
    code, said = doctor(IMPORTS + AGENT.replace("class Adapter:\n", hooks))

    assert code == 1
    assert "3 of 4 cases passed; failed: HOOK-BA-" in said
