"""`loopspec doctor` on adapters for agents: it says in the author's words what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

LOOP = """
from loopspec import Message, ModelRequest
from loopspec_adapting import AgentAdapter


class Adapter(AgentAdapter[Message]):
    name = "mine"

    def to_wire(self, message):
        return [message]

    def from_wire(self, message):
        return message

    def build(self, parts):
        return parts

    async def run(self, agent, messages, report):
        system = [Message(role="system", content=agent.instruction)] if agent.instruction else []
        state = [*system, *messages]
        tools = {tool.name: tool for tool in agent.tools}
        while True:
            answer = await agent.model.answer(state, [tool.info for tool in agent.tools])
            state.append(answer)
            report.message(answer)
            if not answer.tool_calls:
                return
            for call in answer.tool_calls:
                text = await tools[call.name].call(call.args, call.id)
                state.append(Message(role="tool", content=text, tool_call_id=call.id, tool_name=call.name))
                report.message(state[-1])
"""
# the same without the toolkit: one run, whose error is up to the adapter
PLAIN = """
from loopspec import ModelRequest


class Adapter:
    name = "mine"

    async def perform(self, stage):
        agent, runs = stage.scene.agent, stage.runs
        async for batch in runs.concurrent_runs():
            for run in batch:
                with runs.running(run):
                    failed = None
                    try:
                        answer = await stage.doubles.generate(agent.model.name, ModelRequest())
                        runs.event(agent.name, answer)
                    except Exception as error:
                        failed = error
                    if failed:
                        FAILED
"""

Doctor = Callable[[str], tuple[int, str]]


def test_a_complete_adapter_has_no_doubts(examined: Doctor) -> None:
    """A loop without hooks, a limit and a check of names."""
    code, said = examined(LOOP)

    assert "may be wrong" not in said
    assert "The adapter is at fault" not in said
    assert code in (0, 1)


@pytest.mark.parametrize(
    ("method", "misspelled", "hint"),
    [
        ("to_wire", "to_wier", " (it has `to_wier`: did you mean `to_wire`?)"),
        ("from_wire", "fromwire", " (it has `fromwire`: did you mean `from_wire`?)"),
        ("build", "create", "."),
        ("run", "perform_one_run", "."),
    ],
)
def test_a_method_that_is_not_implemented_is_a_fault(method: str, misspelled: str, hint: str, examined: Doctor) -> None:
    """A method of a similar name is named."""
    code, said = examined(LOOP.replace(f"def {method}(", f"def {misspelled}("))

    assert code == 4
    assert f"The adapter is at fault: it does not implement {method}(){hint}" in said


@pytest.mark.parametrize(
    ("capability", "method"),
    [("interrupt", "resume"), ("approvals", "resume"), ("send-event", "inside"), ("run-values", "inside")],
)
def test_a_declared_capability_needs_its_method(capability: str, method: str, examined: Doctor) -> None:
    """The capability is in the sentence."""
    code, said = examined(LOOP.replace('name = "mine"', f'capabilities = ("{capability}",)'))

    assert code == 4
    assert f"The adapter is at fault: it declares {capability} but does not implement {method}()." in said


@pytest.mark.parametrize("error", ["Exception", "BaseException"])
def test_an_entry_that_matches_every_error_is_named(error: str, examined: Doctor) -> None:
    """The entry names no error."""
    _, said = examined(LOOP.replace('name = "mine"', f'error_kinds = {{{error}: "other"}}'))

    assert f"error_kinds maps {error}, and with it every exception, to 'other': name the exceptions of your" in said


@pytest.mark.parametrize(
    ("failed", "sentences"),
    [
        ("runs.event(agent.name, error=failed); raise failed", []),
        ("raise failed", ["the error of a failed run is no event: report it with `runs.event(agent, error=error)`"]),
        (
            "pass",
            ["the run whose model fails ends without an error: let the error leave the block of `runs.running(run)`"],
        ),
        (
            "runs.event(agent.name, error=failed); raise RuntimeError('lost')",
            ["the error of a model reaches the caller as the error other: RuntimeError: lost: keep it as the cause"],
        ),
    ],
)
def test_the_error_of_a_model_reaches_the_caller(failed: str, sentences: list[str], examined: Doctor) -> None:
    """As the run's error, as an event, and with the error of the model among its causes."""
    _, said = examined(PLAIN.replace("FAILED", failed))

    for sentence in sentences:
        assert sentence in said
    assert ("may be wrong" in said) is bool(sentences)


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("to_wire", "        return [message]\n"),
        ("from_wire", "        return message\n"),
        ("build", "        return parts\n"),
        ("run", "        state = [*system, *messages]\n"),
    ],
)
def test_an_exception_of_the_adapters_own_code_is_the_adapters(method: str, body: str, examined: Doctor) -> None:
    """It is no failure of the framework, and its line is named."""
    source = LOOP.replace(body, '        raise KeyError("missing")\n')
    line = next(number for number, text in enumerate(source.splitlines(), 1) if "KeyError" in text)

    code, said = examined(source)

    assert code == 4
    where = f"KeyError: 'missing', raised at examined.py:{line} in Adapter.{method}"
    assert f"The adapter is at fault: {where}. To fix it: `loopspec run py:examined:Adapter --case" in said


def test_an_exception_of_the_framework_is_not_the_adapters(examined: Doctor, tmp_path: Path) -> None:
    """Its line is named, too: a maintainer of a framework reads it there."""
    (tmp_path / "framework.py").write_text("def start(parts):\n    raise KeyError('missing')\n", encoding="utf-8")

    code, said = examined("import framework\n" + LOOP.replace("return parts", "return framework.start(parts)"))

    assert code == 1
    assert "KeyError: 'missing' (an error of no known kind, raised at framework.py:2 in start)" in said
    assert "failed in the implementation: LOOP-09" in said


def test_a_tool_that_is_called_without_an_id_is_named(examined: Doctor) -> None:
    """A framework that passes no id to its tools is described by None."""
    _, forgotten = examined(LOOP.replace("(call.args, call.id)", "(call.args)"))
    _, described = examined(LOOP.replace("(call.args, call.id)", "(call.args, None)"))

    assert "the tool was called without `call_id`: pass the id of the model's call, or None" in forgotten
    assert "call_id" not in described


# the same, but the messages of a run are events only if the run succeeds
AT_THE_END = (
    LOOP.replace("while True:", "events = []\n        while True:")
    .replace("report.message(", "events.append(")
    .replace("return\n", "return [report.message(one) for one in events]\n")
)


@pytest.mark.parametrize(
    ("postures", "hints"), [("{}", 1), ('{"message-events": Posture("at-the-end", measured=True)}', 0)]
)
def test_a_smoke_case_that_fails_for_a_choice_says_so(postures: str, hints: int, examined: Doctor) -> None:
    """An undeclared choice fails the case of a model that fails; a declared one makes the case inapplicable."""
    declared = f"from loopspec import Posture\n{AT_THE_END}".replace(
        'name = "mine"', f'name = "mine"\n    postures = {postures}'
    )
    _, said = examined(declared)

    hint = "or: if your implementation documents another choice, declare a posture on the axis"
    assert said.count(hint) == hints


def test_the_next_capability_is_counted_alone(examined: Doctor) -> None:
    """Each figure is the number of cases that this capability adds without any other."""
    figures = re.compile(r"one more capability adds cases: ((?:[a-z-]+ \d+,? ?)+)")
    applicable = re.compile(r"(\d+) of the \d+ cases of the suite")
    _, said = examined(LOOP)
    before, found = applicable.search(said), figures.search(said)
    assert before
    assert found
    listed = dict(re.findall(r"([a-z-]+) (\d+)", found[1]))

    assert listed
    for capability, figure in list(listed.items())[:2]:
        _, more = examined(LOOP.replace('name = "mine"', f'capabilities = ("{capability}",)'))
        after = applicable.search(more)
        assert after or "does not implement" in more
        assert not after or int(after[1]) - int(before[1]) == int(figure)


def test_what_few_frameworks_have_is_no_next_capability(examined: Doctor) -> None:
    """Most cases need an AgentsMD middleware, so its capability would always be the first of the list."""
    _, said = examined(LOOP)
    usual, _, few = said.partition("only for an AgentsMD middleware: ")

    assert "one more capability adds cases: interrupt" in usual
    assert "agentsmd" not in usual
    assert few.startswith("agentsmd ")


def test_an_adapter_on_the_toolkit_lets_the_error_leave_run(examined: Doctor) -> None:
    """The sentence names the method that its author writes."""
    answer = "answer = await agent.model.answer(state, [tool.info for tool in agent.tools])"
    assert answer in LOOP
    swallowing = LOOP.replace(
        answer, f"try:\n                {answer}\n            except Exception:\n                return"
    )
    _, said = examined(swallowing)

    assert "the run whose model fails ends without an error: let the error leave the method `run`" in said
    assert "runs.running" not in said.partition("errors may be wrong")[2].partition("applicable")[0]
