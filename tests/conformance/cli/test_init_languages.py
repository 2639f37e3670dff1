"""`loopspec init` in Go and in Node: what adapters receive and answer, and the faults that the kits find."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from loopspec.contract.doubles import tool_and_call

from ..begun import LOADERS, PASSED_BY_THE_PLACEHOLDER, begun, examined, longest, passed, tried
from ..process import run_loopspec

KITS = Path(__file__).parents[3] / "conformance" / "kits"
OF_EVERY_TEMPLATE = ["loopspec-baseline.toml", "loopspec-ci.yml"]


class Language(NamedTuple):
    """What `loopspec init` writes in a language: the files of a loader, the last of which is replaced; the command."""

    name: str
    sources: tuple[str, ...]
    others: tuple[str, ...]
    build: str
    target: str

    @property
    def kit(self) -> dict[str, str]:
        """The files of an agent: those of the kit, with the path of the new module in Go."""
        files = {path.relative_to(KITS / self.name).as_posix(): path for path in (KITS / self.name).rglob("*")}
        return {
            name: path.read_text(encoding="utf-8").replace("loopspec/kits/go", "loopspec-adapter")
            for name, path in sorted(files.items())
            if path.suffix in (".go", ".md", ".mod", ".mjs") and not name.endswith("_test.go")
        }


GO = Language(
    "go", ("main.go", "rpc.go", "loader.go"), ("go.mod",), "go build -o loopspec-adapter . && ", "./loopspec-adapter"
)
NODE = Language("node", ("adapter.mjs", "loader.mjs"), (), "", "node adapter.mjs")


@pytest.fixture(params=[GO, NODE], ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    """Each language."""
    found: Language = request.param
    return found


@pytest.fixture
def installed(language: Language, do_without: Callable[[str, str], NoReturn]) -> Language:
    """Each language, if its tools are installed."""
    if shutil.which(language.name) is None:
        do_without(language.name, f"{language.name} is not installed")
    return language


def test_the_template_of_a_loader_is_short(language: Language, tmp_path: Path) -> None:
    """Every file is short and narrow, and one line prints the next command."""
    wrote, now = begun(language.name, tmp_path)

    command = f'loopspec run cmd:"{language.target}" --baseline'
    assert wrote == [*language.others, *language.sources, *OF_EVERY_TEMPLATE]
    assert now == f"{language.build}{command} loopspec-baseline.toml"
    lines, width = longest(tmp_path, language.sources)
    assert lines <= 100
    assert width <= 120
    assert command in (tmp_path / "loopspec-ci.yml").read_text()


def test_the_kit_is_written_unchanged(language: Language, tmp_path: Path) -> None:
    """Each file of the kit is copied without its tests; a file is short and narrow."""
    wrote, now = begun(language.name, tmp_path, "agent")

    assert wrote == [*language.kit, *OF_EVERY_TEMPLATE]
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in language.kit} == language.kit
    assert now == f'{language.build}loopspec run cmd:"{language.target}" --baseline loopspec-baseline.toml'
    lines, width = longest(tmp_path, [name for name in language.kit if name.endswith((".go", ".mjs"))])
    assert lines <= 300
    assert width <= 120


@pytest.mark.long
@pytest.mark.parametrize("role", ["loader", "agent"])
def test_the_doctor_accepts_the_template(role: str, installed: Language, tmp_path: Path) -> None:
    """The doctor accepts the template unchanged, from the handshake to the smoke cases."""
    _, now = begun(installed.name, tmp_path, role)

    ended = examined(now, tmp_path)

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")


@pytest.mark.long
def test_a_loader_is_judged_unchanged(installed: Language, tmp_path: Path) -> None:
    """The placeholder loader passes some rules and fails others, without errors."""
    _, now = begun(installed.name, tmp_path)

    ended, report = tried(now, tmp_path, "--area=AMD-*")

    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my loader", ("loader",))
    assert passed(report.verdicts) >= PASSED_BY_THE_PLACEHOLDER


@pytest.mark.long
def test_an_agent_is_judged_unchanged(installed: Language, tmp_path: Path) -> None:
    """The loop of a page passes most of its cases, and the adapter causes no error."""
    _, now = begun(installed.name, tmp_path, "agent")

    ended, report = tried(now, tmp_path, "-n", "2")

    verdicts = list(report.verdicts.values())
    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my agent", ("agent",))
    assert len(passed(report.verdicts)) >= 120
    assert verdicts.count("passed") > (20 if installed is GO else 5) * verdicts.count("failed")


@pytest.mark.long
def test_a_loader_that_passes_the_rules_is_conformant(installed: Language, tmp_path: Path) -> None:
    """A correct loader replaces the placeholder, also one that prints; no byte is lost on the way."""
    _, now = begun(installed.name, tmp_path)
    shutil.copy(LOADERS / installed.sources[-1], tmp_path)

    ended, report = tried(now, tmp_path, "--strict", "--area=AMD-*")

    assert ended.code == 0
    assert ended.said.splitlines()[-1].startswith(f"cmd:{installed.target} is conformant in ")
    assert 'AMD-IMPORT-13 :: The text "\\xff\\xfe@b.md\\xff", special bytes next to an import' in passed(
        report.verdicts
    )  # sent as base64


KIT = Path(__file__).parents[3] / "conformance" / "kits" / "go"
EINO = KIT.parents[1] / "adapters" / "eino"


@pytest.mark.long
def test_go_tools_accept_the_template(tmp_path: Path, go: Callable[..., str]) -> None:
    """The files are formatted and vetted, and import only the standard library."""
    begun("go", tmp_path)

    assert go(tmp_path, "gofmt", "-l", ".") == ""
    assert go(tmp_path, "go", "vet", ".") == ""
    assert go(tmp_path, "go", "list", "-m", "all") == "loopspec-adapter\n"


def test_the_adapter_imports_the_kit_of_its_own_module(tmp_path: Path) -> None:
    """In an existing module, the kit is a package of the module."""
    (tmp_path / "go.mod").write_text("module example.com/mine // an agent\n\ngo 1.21\n")

    begun("go", tmp_path / "conformance", "agent")

    main = (tmp_path / "conformance/main.go").read_text()
    assert re.findall(r'^\t"(.*/loopspec)"$', main, re.MULTILINE) == ["example.com/mine/conformance/loopspec"]


@pytest.mark.long
@pytest.mark.parametrize(("role", "kit"), [("loader", []), ("agent", ["example.com/mine/conformance/loopspec"])])
def test_in_a_go_module_the_template_belongs_to_the_module(
    role: str, kit: list[str], tmp_path: Path, go: Callable[..., str]
) -> None:
    """In an existing module, the adapter can import the loader or the agent under test, and the kit is a package."""
    (tmp_path / "go.mod").write_text("module example.com/mine // an agent\n\ngo 1.21\n")

    wrote, _ = begun("go", tmp_path / "conformance", role)

    assert "go.mod" not in wrote
    assert go(tmp_path, "go", "list", "./...").split() == ["example.com/mine/conformance", *kit]
    assert go(tmp_path, "gofmt", "-l", ".") == go(tmp_path, "go", "vet", "./...") == ""


def test_init_rejects_a_folder_with_another_package(tmp_path: Path) -> None:
    """A Go folder holds one package, and the adapter's package is called main."""
    (tmp_path / "mine.go").write_text("package mine\n")

    ended = run_loopspec(tmp_path, "init", "go")

    assert ended.code == 2
    assert ended.said == "loopspec: there is a Go package in . already: name another folder; nothing was written\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.py", "mine.go"]


@pytest.mark.long
def test_go_tools_accept_the_kit(go: Callable[..., str]) -> None:
    """The kit is formatted and vetted, and the tests of the kit pass."""
    assert go(KIT, "gofmt", "-l", ".") == ""
    assert go(KIT, "go", "vet", "./...") == ""
    assert "\nok  \tloopspec/kits/go/loopspec" in "\n" + go(KIT, "go", "test", "./...")


def test_the_kit_is_not_about_eino() -> None:
    """The kit imports the standard library and itself; eino's own part is smaller than the kit."""
    texts = [path.read_text("utf-8") for path in KIT.rglob("*.go") if not path.name.endswith("_test.go")]
    imported = {path for text in texts for path in re.findall(r'^\t(?:\w+ )?"([\w./-]+)"$', text, re.MULTILINE)}
    own = [path for path in EINO.glob("*.go") if not path.name.endswith("_test.go")]

    assert {path for path in imported if "." in path or "loopspec" in path} == {"loopspec/kits/go/loopspec"}
    assert not any("eino" in text for text in texts)
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own) <= 2200


FROM_WIRE = "func (adapter) FromWire(sent loopspec.Message) *Message {\n"


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "parts.Model.Generate(ctx, ",
            "parts.Model.Generate(context.TODO(), ",
            "model/generate is called in a context that belongs to no case: pass the context on",
        ),
        (FROM_WIRE, FROM_WIRE + '\tif sent.Role == "assistant" {\n\t\tpanic("mine")\n\t}\n', "mine"),
    ],
    ids=["a foreign context", "a crash in a conversion"],
)
def test_a_mistake_of_the_adapter_is_a_fault(
    old: str, new: str, sentence: str, tmp_path: Path, go: Callable[..., str]
) -> None:
    """It does not pass for behavior of the implementation, and the message says what to do."""
    _, now = begun("go", tmp_path, "agent")
    main = tmp_path / "main.go"
    text = main.read_text()
    assert old in text
    main.write_text(text.replace(old, new))

    ended, report = tried(now, tmp_path, "--rule", "LOOP-01", "--variants", "none")

    assert set(report.verdicts.values()) == {"errored"}
    assert sentence in ended.said


Run = Callable[..., list[dict[str, Any]]]  # Any: JSON


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path, node: Run) -> None:
    """A line separator does not end a line, although Node's own line reader would split there."""
    begun("node", tmp_path)
    asked = {"id": "h1", "method": "loader/load", "params": {"case": 1, "files": ["/p/\u2028.md"]}}
    read = {"id": "a1", "result": {"text": "One\u2028two."}}

    request, answer = node(tmp_path, [asked, read])

    assert request["params"] == {"case": 1, "request": {"filePath": "/p/\u2028.md"}}
    assert answer["result"] == {"value": {"sections": [{"path": "/p/\u2028.md", "text": "One\u2028two."}]}}


def test_a_method_that_the_adapter_does_not_know_is_refused(tmp_path: Path, node: Run) -> None:
    """An unknown request gets the error of JSON-RPC, and an unknown notification gets nothing."""
    begun("node", tmp_path, "agent")

    (answer,) = node(tmp_path, {"method": "some/news"}, {"id": "h1", "method": "some/method", "params": {"case": 1}})

    assert (answer["id"], answer["error"]["code"]) == ("h1", -32601)


def test_the_postures_of_an_adapter_are_declared(tmp_path: Path, node: Run) -> None:
    """The answer to `initialize` has them; an adapter without postures has none."""
    begun("node", tmp_path, "agent")
    adapter, hello = tmp_path / "adapter.mjs", {"id": "h1", "method": "initialize"}
    offered = {"params": {"protocolVersions": [3]}}
    posture = {"after-order": {"value": "reversed", "link": "https://example.org"}}

    (without,) = node(tmp_path, {**hello, **offered})
    text = adapter.read_text()
    adapter.write_text(text.replace("  capabilities =", f"  postures = {json.dumps(posture)};\n  capabilities ="))
    (declared,) = node(tmp_path, {**hello, **offered})

    assert without["result"]["postures"] == {}
    assert declared["result"]["postures"] == posture


def test_a_call_that_waits_has_the_information_that_the_harness_reads(tmp_path: Path, node: Run) -> None:
    """Of a tool that needs approval."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    waits = "report.interrupted(Buffer.from('1'), [{ id: 'i', info: waitingCall(tool.name, 'a') }])"
    run = f"async run(a, b, report, c, {{ tools: [tool] }}) {{ if (tool.approval) {waits}; }}\n  async unused("
    text = adapter.read_text().replace("async run(", run)
    adapter.write_text(f"import {{ waitingCall }} from './kit/index.mjs';\n{text}")
    tools = [{"name": "t 1", "kinds": ["invokable"], "approval": True}]
    spec = {"name": "agent", "model": {"name": "m"}, "tools": tools}
    created = {"id": "h1", "method": "agent/create", "params": {"case": 1, "agent": spec}}

    *_, ended = node(tmp_path, created, {"id": "h2", "method": "agent/run", "params": {"case": 1, "handle": "agent1"}})

    (shown,) = ended["result"]["interrupted"]["interrupts"]
    assert tool_and_call(shown["info"]) == ("t 1", "a")


def test_a_resumption_has_the_mode_that_the_caller_requests(tmp_path: Path, node: Run) -> None:
    """The adapter receives the mode of the interrupted run."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    resume = "resume(a, c, d, report, run) { report.final(`streaming ${run.streaming}`); }"
    adapter.write_text(adapter.read_text().replace("  fromWire({", f"  {resume}\n  fromWire({{"))
    spec = {"name": "agent", "model": {"name": "m", "takesTools": True}}
    resumed = {"case": 1, "handle": "agent1", "run": "2", "checkpoint": "", "streaming": True}

    sent = node(
        tmp_path,
        {"id": "h1", "method": "agent/create", "params": {"case": 1, "role": "agent", "agent": spec}},
        {"id": "h2", "method": "agent/resume", "params": resumed},
    )

    assert [one["params"]["text"] for one in sent if one.get("method") == "run/final"] == ["streaming true"]


def test_a_mistake_in_a_conversion_is_a_fault_of_the_adapter(tmp_path: Path, node: Run) -> None:
    """An error of `fromWire` is reported as a fault, so it does not pass for behavior of the framework."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    adapter.write_text(
        adapter.read_text().replace("  fromWire({", "  fromWire() { throw new Error('mine'); }\n  old({")
    )
    spec = {"name": "agent", "model": {"name": "m", "takesTools": True}}
    messages = [{"role": "user", "content": "Hello."}]

    sent = node(
        tmp_path,
        {"id": "h1", "method": "agent/create", "params": {"case": 1, "role": "agent", "agent": spec}},
        {
            "id": "h2",
            "method": "agent/run",
            "params": {"case": 1, "handle": "agent1", "run": "1", "messages": messages},
        },
    )

    faults = [one["params"]["message"] for one in sent if one.get("method") == "adapter/fault"]
    assert faults
    assert str(faults[0]).startswith("Error: mine")


def test_a_request_in_a_closed_scope_is_refused(tmp_path: Path, node: Run) -> None:
    """A request within a call that has an answer gets the error of a closed scope."""
    begun("node", tmp_path, "agent")

    (answer,) = node(tmp_path, {"id": "h1", "method": "next", "params": {"case": 1, "in": "a1"}})

    assert (answer["id"], answer["error"]["code"]) == ("h1", -32011)
