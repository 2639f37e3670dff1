"""The kit for Node serves a store in the role `backend`."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ..process import reported, run_loopspec

KIT = Path(__file__).parents[3] / "conformance" / "kits" / "node" / "kit"
Run = Callable[..., list[dict[str, Any]]]  # Any: JSON

OPEN: dict[str, object] = {"notes.md": {"text": "Be brief."}}


def _request(number: int, method: str, **params: object) -> dict[str, object]:
    """A request of case 1 about the only store."""
    of_store: dict[str, object] = {} if method in {"open", "resources"} else {"handle": "store1"}
    if method == "read":
        params = {"request": params}
    return {"id": f"h{number}", "method": f"backend/{method}", "params": {"case": 1, **of_store, **params}}


def _written(folder: Path, store: str, head: str = "capabilities: ['edits'],") -> Path:
    """A folder with the kit and an adapter whose `open` returns the store, an expression in JavaScript."""
    shutil.copytree(KIT, folder / "kit", dirs_exist_ok=True)
    (folder / "adapter.mjs").write_text(
        "import { openSync } from 'node:fs';\n"
        "import { CannotStore, serveBackend } from './kit/index.mjs';\n"
        f"serveBackend({{ name: 'store', {head} open: async (files) => ({store}) }});\n"
    )
    return folder


def _answers(sent: list[dict[str, Any]]) -> list[Any]:
    """The result of each answered request, in the order of the answers."""
    return [message["result"] for message in sent if "result" in message]


def _fault(sent: list[dict[str, Any]]) -> str:
    """The first line of the only fault that the adapter reports; the request has no result."""
    (fault,) = [message["params"]["message"] for message in sent if message.get("method") == "adapter/fault"]
    assert sent[-1]["error"]["code"] == -32603
    line: str = fault.partition("\n")[0]
    return line


def test_the_store_of_the_readme_passes(tmp_path: Path, node: Run) -> None:
    """The lines are copied from the README of the kit, and the command is the one below them."""
    shutil.copytree(KIT, tmp_path / "kit")
    readme = (KIT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```js\n// store.mjs\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "store.mjs").write_text(code)
    assert '\nloopspec run cmd:"node store.mjs"\n' in readme

    ended = run_loopspec(tmp_path, "run", "cmd:node store.mjs", "--strict", "--report", "report.jsonl")
    report = reported(tmp_path / "report.jsonl")

    assert (ended.code, report.run.identity.name, report.run.roles) == (0, "my store", ("backend",))
    assert list(report.verdicts.values()).count("passed") > 100


def test_the_kit_declares_that_resources_can_be_counted(tmp_path: Path, node: Run) -> None:
    """The author declares the rest."""
    hello = {"id": "h1", "method": "initialize", "params": {"protocolVersions": [3]}}

    (answer,) = _answers(node(_written(tmp_path, "{}", "version: '7', capabilities: ['links', 'resources'],"), hello))

    assert (answer["roles"], answer["capabilities"]) == (["backend"], ["links", "resources"])
    assert answer["implementation"] == {"name": "store", "version": "7", "language": "javascript"}


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("'Be brief.'", {"text": "Be brief."}),
        ("''", {"text": ""}),
        ("Buffer.from([0xff, 0])", {"base64": base64.b64encode(b"\xff\0").decode()}),
        ("new Uint8Array([1, 2, 3]).subarray(1)", {"base64": base64.b64encode(b"\2\3").decode()}),
        ("Promise.resolve('later')", {"text": "later"}),
        ("null", {"nothing": True}),
        ("undefined", {"nothing": True}),
    ],
)
def test_the_content_of_a_read(tmp_path: Path, node: Run, value: str, reply: Mapping[str, object]) -> None:
    """Text stays text, bytes stay bytes, and no content object is none."""
    store = _written(tmp_path, f"{{ read: () => {value} }}")

    *_, read = _answers(node(store, _request(1, "open"), _request(2, "read", filePath="notes.md")))

    assert read == reply


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("7", "read() returned 7: return a Buffer or well-formed text, or throw an error"),
        ("({ a: 1 })", "read() returned { a: 1 }: return a Buffer or well-formed text, or throw an error"),
        ("'\\ud800'", r"read() returned '\uD800': return a Buffer or well-formed text, or throw an error"),
        ("new RangeError('gone')", "read() returned RangeError: gone"),
    ],
)
def test_an_invalid_value_is_a_fault_of_the_adapter(tmp_path: Path, node: Run, value: str, sentence: str) -> None:
    """The fault shows the value, as for a store in Python."""
    store = _written(tmp_path, f"{{ read: () => {value} }}")

    sent = node(store, _request(1, "open"), _request(2, "read", filePath="notes.md"))

    assert _fault(sent).casefold() == f"Error: {sentence}".casefold()  # versions of Node write \uD800 differently


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("Object.assign(new Error('x'), { code: 'ENOENT' })", "not_exist"),
        ("new Error('x', { cause: Object.assign(new Error('y'), { code: 'ENOENT' }) })", "not_exist"),
        ("Object.assign(new Error('x'), { code: 'EISDIR' })", "directory"),
        ("new Error('ENOENT')", "other"),
        ("'a string'", "other"),
    ],
)
def test_the_error_of_a_read(tmp_path: Path, node: Run, error: str, kind: str) -> None:
    """The code decides, and not the message."""
    store = _written(tmp_path, f"{{ read() {{ throw {error}; }} }}")

    *_, read = _answers(node(store, _request(1, "open"), _request(2, "read", filePath="notes.md")))

    assert read["error"]["kind"] == kind


def test_reads_that_arrive_together_are_concurrent(tmp_path: Path, node: Run) -> None:
    """The first read ends when the second one has begun."""
    first = "new Promise((done) => (files.done = done))"
    waiting = f"{{ read: ({{ path }}) => path === 'a' ? {first} : files.done('b') ?? 'c' }}"
    reads = [_request(2, "read", filePath="a"), _request(3, "read", filePath="b")]

    sent = node(_written(tmp_path, waiting), _request(1, "open"), reads)

    assert {message["id"]: message["result"]["text"] for message in sent[1:]} == {"h2": "b", "h3": "c"}


def test_a_read_receives_the_range_of_lines(tmp_path: Path, node: Run) -> None:
    """Absent fields have the values that the schema gives them."""
    store = _written(tmp_path, "{ read: (request) => JSON.stringify(request) }")
    ranged = _request(3, "read", filePath="b", offset=2, limit=5)

    _, plain, lines = _answers(node(store, _request(1, "open"), _request(2, "read", filePath="a"), ranged))

    assert plain == {"text": '{"path":"a","offset":1,"limit":0}'}
    assert lines == {"text": '{"path":"b","offset":2,"limit":5}'}


def test_the_files_and_the_calls_reach_the_store(tmp_path: Path, node: Run) -> None:
    """Each request calls the method of its name; content arrives as bytes."""
    calls = ", ".join(
        f"{name}: (...args) => void files.set('log', files.get('log') + '{name} ' + args.join(' ') + '; ')"
        for name in ("write", "delete", "link", "fault", "fail", "close")
    )
    content = "[...files].map(([path, data]) => `${path}=${Buffer.from(data).toString('hex')}`).join() "
    store = f"files.set('log', ''), {{ {calls}, read: ({{ path }}) => path === 'log' ? files.get('log') : {content} }}"
    files = {"a.md": {"text": "é"}, "b.bin": {"base64": base64.b64encode(b"\xff").decode()}, "__proto__": {}}

    sent = node(
        _written(tmp_path, store),
        _request(1, "open", files=files),
        _request(2, "read", filePath="all"),
        _request(3, "write", path="c", content={"text": "new"}),
        _request(4, "delete", path="c"),
        _request(5, "link", path="l", target="c"),
        _request(6, "fault", path="a.md", kind="io"),
        _request(7, "fail", kind="gone"),
        _request(8, "close"),
        _request(9, "read", filePath="log"),
    )

    _, all_files, *done, log = _answers(sent)
    assert all_files == {"text": "a.md=c3a9,b.bin=ff,__proto__=,log="}
    assert done == [{}] * 6
    assert log == {"text": "write c new; delete c; link l c; fault a.md io; fail gone; close ; "}


def test_a_refused_name_is_a_result(tmp_path: Path, node: Run) -> None:
    """Of `open` and of `write`; another error of `write` is a result, too."""
    refusing = "{ read() {}, write(path) { throw path === 'no' ? new CannotStore(path) : new Error('full'); } }"
    store = _written(tmp_path, f"(() => {{ if (files.has('no')) throw new CannotStore('no'); return {refusing}; }})()")

    sent = node(
        store,
        _request(1, "open", files={"no": {"text": ""}}),
        _request(2, "open", files=OPEN),
        _request(3, "write", path="no", content={"text": ""}),
        _request(4, "write", path="yes", content={"text": ""}),
    )

    opened, _, refused, failed = _answers(sent)
    kinds = [one["error"]["kind"] for one in (opened, refused, failed)]
    assert kinds == ["cannot_store", "cannot_store", "other"]


@pytest.mark.parametrize(
    ("store", "message", "sentence"),
    [
        ("(() => { throw new RangeError('mine'); })()", None, "open() failed: RangeError: mine"),
        ("{ get() {} }", None, "open() returned { get: [Function: get] }: return an object with read()"),
        (
            "{ read() {} }",
            _request(2, "write", path="a", content={"text": ""}),
            "open() returned a store without write(), which the declared capabilities promise",
        ),
        (
            "{ read() {}, fault() { throw 'mine'; } }",
            _request(2, "fault", path="a", kind="io"),
            "fault() failed: 'mine'",
        ),
    ],
)
def test_a_mistake_of_the_adapter_is_a_fault(
    tmp_path: Path, node: Run, store: str, message: Mapping[str, object] | None, sentence: str
) -> None:
    """The case ends as `errored`, so a mistake never passes for behavior of the store."""
    messages = [_request(1, "open"), *([message] if message else [])]

    assert _fault(node(_written(tmp_path, store), *messages)).startswith(f"Error: {sentence}")


def test_a_store_is_closed_once(tmp_path: Path, node: Run) -> None:
    """The end of a case closes what the harness has left open, and a store without `close` needs none."""
    count = "globalThis.closed ??= []"
    noted = f"{{ read: () => ({count}).join(), close: () => void ({count}).push(files.size) }}"
    store = _written(tmp_path, f"files.size === 3 ? {{ read() {{}} }} : {noted}")

    def opened(number: int, size: int) -> dict[str, object]:
        return _request(number, "open", files={f"{one}.md": {"text": ""} for one in range(size)})

    sent = node(
        store,
        opened(1, 1),
        opened(2, 2),
        opened(3, 3),
        _request(4, "close"),
        {"id": "h5", "method": "case/end", "params": {"case": 1}},
        opened(6, 4),
        {"id": "h7", "method": "backend/read", "params": {"case": 1, "handle": "store4", "request": {"filePath": "a"}}},
    )

    assert sent[-1]["result"] == {"text": "1,2"}
    assert [message for message in sent if "result" not in message] == []


def test_a_handle_of_another_case_is_a_fault(tmp_path: Path, node: Run) -> None:
    """An adapter keeps nothing from one case to the next."""
    late = {
        "id": "h2",
        "method": "backend/read",
        "params": {"case": 2, "handle": "store1", "request": {"filePath": "a"}},
    }

    assert _fault(node(_written(tmp_path, "{ read() {} }"), _request(1, "open"), late)).endswith("no store store1")


def test_an_unknown_request_is_refused(tmp_path: Path, node: Run) -> None:
    """Without a fault: the harness may be newer. An unknown notification gets no answer."""
    (answer,) = node(_written(tmp_path, "{}"), {"method": "some/news"}, _request(1, "some"))

    assert answer["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("leak", "rule"), [("openSync('adapter.mjs')", "BACKEND-41"), ("setInterval(() => {}, 60_000)", "BACKEND-43")]
)
def test_a_leak_of_each_read_fails_a_rule(tmp_path: Path, node: Run, leak: str, rule: str) -> None:
    """The store of the README, which leaves nothing open, passes both rules."""
    read = "read: ({ path }) => { %s; if (!files.has(path)) throw { code: 'ENOENT' }; return files.get(path); }"
    _written(tmp_path, f"{{ {read % leak} }}")

    assert run_loopspec(tmp_path, "run", "cmd:node adapter.mjs", "--rule", rule, "--strict").code == 1
