"""The schema of the protocol accepts exactly the messages of the protocol."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import fields

from loopspec.cli import main
from loopspec.contract.agents import Agent, AgentsMD, Config
from loopspec.contract.scene import Cancel, File, Run, Scene
from loopspec.contract.values import Called, Ended, Message, Value
from loopspec.engine.judge import judge, role_for
from loopspec.engine.perform import perform
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS
from loopspec.protocol.schema import _values, page, schema, schema_text
from loopspec.specification.features import compiled
from loopspec.targets.process.target import ProcessTarget
from tools.transcript import SERVED, conversation

SCHEMA = schema()
LINES = {
    sender: Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
    for sender, name in (("H", "HarnessLine"), ("A", "AdapterLine"))
}
LINE_DEFS = {"HarnessLine", "AdapterLine", "Answer", "Refusal"}
# Together these cases need every method and every role.
CASES = [
    "HANDLER-06 :: Between two handlers that observe, in a streaming run",
    "CANCEL-13 :: Cancelled immediately during a model call",
    "HOOK-AA-08 :: A tool interrupts the run",
    "BACKEND-05 :: The example project without permission to read one file",
    "XP-REG-11 :: Two agents with one node each",
    "RUNLOCAL-07 :: No run is active",
    "AMD-IMPORT-28 :: More double dots than folders",
    "XP-REG-07 :: Two modules with the same provider",
    "AMD-CACHE-13 :: Two calls of the hook",
    "LOOP-26 :: A primary model that fails",
    "HOOK-BA-15 :: A session value in the instruction",
    "ORDER-TOOL-03 :: A handler that changes the result and sends an event, in a synchronous run",
    "ORDER-TOOL-05 :: Callbacks of a tool that is streamable, in a streaming run",
    "BACKEND-04 :: A file that was missing before",
    "BACKEND-29 :: Removed container: A file in a folder",
    "BACKEND-35 :: A link next to its target",
    "BACKEND-51 :: Two files with the same content",
    "BACKEND-42 :: 1,000 reads of one stored file, and its threads",
    "XP-SUM-15 :: One summary",
    "XP-SUM-24 :: Twelve words, a model without a profile and 20 tokens next to the fraction",
    "RETRY-06 :: The first attempt fails with a rejected error",
    "INSTR-06 :: Single and doubled braces in a system message",
    "XP-CTX-03 :: Attempts before the agent and before the model",
    "AMD-I18N-08 :: Chinese from the second run on",
    "RETRY-19 :: A failed attempt, a rejected answer and an accepted answer",
    "RETRY-08 :: Two failures of one model call",
    "HOOK-WM-10 :: A wrapper that always calls twice, in a streaming run",
    "INS-ORDER-04 :: Three files in another order than that of their folders",
    "STOP-34 :: Three messages during one call, and a fourth during a later one",
    "STOP-38 :: A tool returns, and the process dies during the next model call of a synchronous run",
]


@pytest.fixture(scope="module")
def messages() -> list[tuple[str, dict[str, Any]]]:
    """Every message of those cases, also of the process in which the adapter resumes a run."""
    chosen = {case.id: case for case in compiled() if case.id in CASES}

    def act(target: ProcessTarget) -> None:
        target.ping()
        for name in CASES:
            result = judge(chosen[name].shortened(), target, deadline=120.0)  # seconds, also on a busy machine
            assert result.verdict in ("passed", "failed"), result

    return [(sender, json.loads(line)) for sender, line in conversation(SERVED, act)]


def problems(sender: str, message: dict[str, Any]) -> list[str]:
    """The validation errors of a line."""
    return [error.message for error in LINES[sender].iter_errors(message)]


def answers(messages: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The results, each with the name of its type."""
    asked: dict[tuple[str, str], str] = {}
    for sender, message in messages:
        if "method" in message and "id" in message:
            asked[sender, message["id"]] = SCHEMA["methods"][message["method"]]["result"]["$ref"]
        elif "result" in message:
            other = "A" if sender == "H" else "H"
            if (ref := asked.pop((other, message["id"]), None)) is not None:
                yield ref, message["result"]


def test_the_schema_is_valid() -> None:
    """The schema is valid in the dialect that it names."""
    Draft202012Validator.check_schema(SCHEMA)

    assert SCHEMA["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_the_command_prints_the_schema_and_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """`loopspec protocol` prints the schema as JSON, and the page with `--page`."""
    assert main(["protocol"]) == 0
    assert capsys.readouterr().out == schema_text() + "\n"
    assert main(["protocol", "--page"]) == 0
    assert capsys.readouterr().out == page()


def test_no_scripted_field_is_in_the_schema() -> None:
    """Nor a type that only scripts have."""
    defs = {name: one["properties"].keys() for name, one in SCHEMA["$defs"].items() if name not in LINE_DEFS}
    kinds = {kind.__name__: kind for kind in _values(Value) if kind.__name__ in defs}

    assert defs.keys() == kinds.keys()
    assert {name for name, kind in kinds.items() if kind.scripted} >= {"Model", "Plugin", "Script", "Strategy", "Tool"}
    for name, kind in kinds.items():
        wanted = {one.encode_name for one in fields(kind) if one.name not in kind.scripted}
        assert defs[name] - {kind.__struct_config__.tag_field} == wanted, name
    assert {"Turn", "SetState", "Called"} & defs.keys() == set()


def test_every_message_is_valid(messages: list[tuple[str, dict[str, Any]]]) -> None:
    """Messages of both directions are valid, and every result has the type of its method's result."""
    assert [(sender, message, found) for sender, message in messages if (found := problems(sender, message))] == []

    results = list(answers(messages))
    assert len(results) > 200
    wrong = [
        (ref, result, error.message)
        for ref, result in results
        for error in Draft202012Validator({"$ref": ref, "$defs": SCHEMA["$defs"]}).iter_errors(result)
    ]
    assert wrong == []


def test_every_method_is_used(messages: list[tuple[str, dict[str, Any]]]) -> None:
    """Only `$/cancel`, which needs a missed deadline, and `adapter/fault` are missing."""
    methods = {(sender, message["method"]) for sender, message in messages if "method" in message}

    there_are = {("H", name) for name in FROM_HARNESS} | {("A", name) for name in FROM_ADAPTER}

    assert methods <= there_are
    assert there_are - methods == {("H", "$/cancel"), ("A", "adapter/fault")}


def test_methods_are_used_with_their_role_and_capability(messages: list[tuple[str, dict[str, Any]]]) -> None:
    """A method is used only in its roles and with its capability."""
    target = ProcessTarget(SERVED)
    target.close()
    roles = {case.id: role_for(case, target) for case in compiled() if case.id in CASES}
    needs = {case.id: case.needs for case in compiled() if case.id in CASES}
    misplaced = set()
    for sender, message in messages:
        of = message.get("params", {}).get("case", 0)
        if "method" in message and of:
            method = SCHEMA["methods"][message["method"]]
            name = CASES[of - 1]
            if roles[name] not in method["roles"] or method.get("capability") not in (None, *needs[name]):
                misplaced.add((sender, message["method"], name))

    assert misplaced == set()


def test_a_cancelled_read_is_not_an_empty_file() -> None:
    """A file is held until its cancelled run ends; over the pipe, the run ends by the cancellation as well."""
    scene = Scene(
        act="run",
        files={"/p/a.md": File(text="Be brief.", held=Ended(run="1"))},
        agent=Agent(handlers=(AgentsMD(config=Config(files=("/p/a.md",))),)),
        runs=(Run(id="1", messages=(Message(role="user"),), cancels=(Cancel(at=Called(double="read /p/a.md")),)),),
    )
    seen = []

    conversation(SERVED, lambda target: seen.append(perform(target, scene, "agent")))

    (run,) = seen[0].runs
    assert run.error is not None
    assert (run.error.kind, seen[0].model_calls) == ("cancel", ())


def test_an_adapter_with_one_language_is_not_asked_to_choose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases in the default language apply to an adapter without the second language."""
    (tmp_path / "english.py").write_text(
        "from loopspec_reference_adapter import Reference\n\n"
        "class English(Reference):\n    capabilities = frozenset({'agentsmd'})\n"
    )
    monkeypatch.chdir(tmp_path)
    (case,) = (case for case in compiled() if case.id == "AMD-I18N-02 :: English")
    verdicts = []

    lines = conversation(
        f"{sys.executable} -m loopspec serve py:english:English",
        lambda target: verdicts.append(judge(case, target).verdict),
    )

    assert verdicts == ["passed"]
    assert not any(b"language/set" in line for _, line in lines)


READ = {"jsonrpc": "2.0", "id": "a1", "method": "files/read", "params": {"case": 1, "request": {"filePath": "/p/a.md"}}}
LOAD = {"jsonrpc": "2.0", "id": "h1", "method": "loader/load", "params": {"case": 1, "files": ["/p/a.md"]}}


def test_valid_messages() -> None:
    """The messages that the next test changes are valid."""
    assert problems("A", READ) == problems("H", LOAD) == []
    assert problems("A", {**READ, "params": {**READ["params"], "color": "red"}}) == []  # type: ignore[dict-item]  # params are a dict


@pytest.mark.parametrize(
    ("sender", "message"),
    [
        ("A", {**READ, "params": {"case": 1}}),
        ("A", {**READ, "params": {"case": "1", "request": {"filePath": "/p/a.md"}}}),
        ("A", {**READ, "params": {"case": 1, "request": "/p/a.md"}}),
        ("A", {**READ, "params": ["/p/a.md"]}),
        ("A", {**READ, "id": 7}),
        ("A", {**READ, "id": "h7"}),
        ("A", {**READ, "method": "files/write"}),
        ("A", {key: READ[key] for key in ("jsonrpc", "method", "params")}),
        ("A", {key: READ[key] for key in ("id", "method", "params")}),
        ("A", LOAD),
        ("H", READ),
        ("H", {**LOAD, "params": {"case": 1, "files": "/p/a.md"}}),
        ("H", {**LOAD, "params": {"case": 1, "files": ["/p/a.md"], "maxBytes": "many"}}),
        ("A", {"jsonrpc": "2.0", "id": "a1", "method": "warning", "params": {"case": 1, "path": "/p/a.md"}}),
        ("A", {"jsonrpc": "2.0", "id": "h1", "result": []}),
        ("A", {"jsonrpc": "2.0", "id": "h1", "result": {}, "error": {"code": -32603, "message": "both"}}),
        ("A", {"jsonrpc": "2.0", "id": "h1", "error": {"code": "bad", "message": ""}}),
        ("A", {"jsonrpc": "2.0", "id": "h1"}),
    ],
    ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:60],
)
def test_invalid_messages(sender: str, message: dict[str, Any]) -> None:
    """A wrong type, a missing field, a wrong direction and a wrong answer are rejected."""
    assert problems(sender, message) != []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Error", {"kind": "unheard of"}),
        ("Error", {"message": "no kind"}),
        ("Message", {"role": "robot"}),
        ("Loaded", {"sections": [{"path": "/p/a.md"}]}),
        ("Initialized", {"protocolVersion": 1, "roles": ["loader"]}),
        ("HookEditReply", {"value": {"messages": ["Hello."]}}),
        ("Agent", {"name": "a", "handlers": [{"handler": "unknown", "name": "H"}]}),
    ],
)
def test_invalid_results(name: str, value: dict[str, Any]) -> None:
    """Types inside messages are as strict."""
    assert list(Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}).iter_errors(value))


def test_the_table_of_methods_is_complete() -> None:
    """A request has a result; each method has a sentence with its meaning."""
    methods = SCHEMA["methods"]

    assert methods.keys() == FROM_HARNESS.keys() | FROM_ADAPTER.keys()
    assert methods["next"] == {
        "meaning": "Calls the inner endpoint from an around-hook.",
        "caller": "harness",
        "kind": "request",
        "nested": True,
        "params": {"$ref": "#/$defs/Next"},
        "result": {"$ref": "#/$defs/NextReply"},
        "roles": ["agent", "plugins", "handler"],
    }
    assert methods["retry/delay"]["capability"] == "retry"
    assert (methods["$/cancel"]["caller"], methods["warning"]["kind"]) == ("both", "notification")
    assert {name for name, method in methods.items() if ("result" in method) != (method["kind"] == "request")} == set()
    assert {name for name, method in methods.items() if not re.fullmatch(r"[A-Z].+\.", method["meaning"])} == set()


def test_descriptions_use_the_names_of_the_wire() -> None:
    """Every type has a description without Python terms; fields have their names on the wire."""
    messages = {name: component.get("description", "") for name, component in SCHEMA["$defs"].items()}
    fields = {field for component in SCHEMA["$defs"].values() for field in component.get("properties", {})}

    assert [name for name, text in messages.items() if not text] == []
    assert [
        name for name, text in messages.items() if re.search(r"\bNone\b|Python|dict|tuple|the contract\b", text)
    ] == []
    words = {word for text in messages.values() for word in re.findall(r"`([a-z]+(?:[A-Z][a-z]+|_[a-z]+)+)`", text)}
    assert words - fields - {"will_retry", "retries_exhausted"} == set()
