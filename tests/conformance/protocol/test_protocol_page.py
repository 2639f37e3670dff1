"""The page of the protocol is complete and correct."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from loopspec import ROLES
from loopspec.cli import main
from loopspec.contract.calls import Decision
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.values import ErrorKind
from loopspec.engine.deadlines import DEFAULT_DEADLINE
from loopspec.engine.result import VERDICTS
from loopspec.protocol import rpc
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS
from loopspec.protocol.schema import page, schema
from loopspec.targets.process import connection, peer
from tools.transcript import BLOCK, SERVED, transcript

from ..begun import LOADERS
from ..process import PATIENCE, run_loopspec

PAGE = page()
TEXT = PAGE.partition(BLOCK.begin)[0]
NAMED = set(re.findall(r"`([^`]+)`", TEXT))
CODES = {rpc.UNKNOWN_METHOD, rpc.BAD_PARAMS, rpc.BROKEN, rpc.BAD_VERSION, rpc.CASE_OVER}


def test_the_page_names_every_method() -> None:
    """The page names each method, role, kind of error and code, and no unknown method."""
    methods = FROM_HARNESS.keys() | FROM_ADAPTER.keys()
    kinds = set(get_args(ErrorKind))

    assert methods - NAMED == set()
    assert ROLES.keys() - NAMED == set()
    assert kinds - NAMED == set()
    assert {f"`{code}`" for code in CODES if f"| `{code}` |" not in TEXT} == set()
    assert {name for name in NAMED if re.fullmatch(r"[a-z]+/[a-zA-Z]+", name)} - methods == set()


def test_every_name_on_the_page_exists() -> None:
    """A word in code is a method, role, capability, kind, type or field of the schema, or a verdict."""
    defs = schema()["$defs"]
    fields = {field for component in defs.values() for field in component.get("properties", {})}
    known = {*defs, *fields, *FROM_HARNESS, *FROM_ADAPTER, *ROLES, *CAPABILITIES, *VERDICTS, *get_args(ErrorKind)}
    words = {name for name in NAMED if re.fullmatch(r"[a-zA-Z][a-zA-Z_/-]*", name)}

    decision = set(Decision.__struct_fields__)  # the answer to an interrupt is any JSON value

    assert words - known - decision == {"H", "false"}


def test_the_table_of_parts_names_existing_capabilities() -> None:
    """The table of parts names only capabilities that `loopspec capabilities` lists."""
    rows = re.findall(r"^\| \d+\. .*\| ([^|]*)\|$", TEXT, re.MULTILINE)

    assert len(rows) == 11
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} - CAPABILITIES.keys() == set()


def test_the_times_are_those_of_the_harness() -> None:
    """The page says how long each step may take."""
    times = (connection._START, DEFAULT_DEADLINE, connection._END)

    assert "You have {:g} seconds to answer `initialize`, {:g} for a case".format(*times) in TEXT
    assert f"{connection._END:g} for\n`case/end`, and half a second to exit" in TEXT
    assert (connection._LEAVE, connection._CANCELLED, peer.QUIET) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`loopspec ([a-z]+)", TEXT))))
def test_every_command_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command on the page has a help text."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: loopspec")


def test_the_transcript_is_up_to_date() -> None:
    """The transcript is current; `python -m tools.transcript` rewrites it."""
    assert BLOCK.has(transcript())


def test_an_adapter_written_from_the_page_passes(tmp_path: Path) -> None:
    """The loader adapter of the standard library satisfies every applicable rule, advisory rules included."""
    adapter = LOADERS / "adapter.py"

    ran = run_loopspec(tmp_path, "run", f"cmd:{sys.executable} {adapter}", "--role", "loader", "--strict", "-q")

    assert ran.said.strip().endswith("is conformant.")
    assert ran.code == 0
    assert "import loopspec" not in adapter.read_text(encoding="utf-8")


def test_the_served_reference_answers_as_on_the_page() -> None:
    """`loopspec serve reference` answers line by line, as the page says."""
    offered = '{"protocolVersions":[9],"suite":{"version":"1","features":""},"limits":{"maxLineBytes":1000}}'
    asked = [
        '{"jsonrpc":"2.0","id":"h1","method":"ping","params":{}}',
        '{"jsonrpc":"2.0","id":"h2","method":"no/such","params":{}}',
        f'{{"jsonrpc":"2.0","id":"h3","method":"initialize","params":{offered}}}',
        '{"jsonrpc":"2.0","method":"exit"}',
    ]

    ran = subprocess.run(
        SERVED, input="\n".join([*asked, ""]), shell=True, capture_output=True, text=True, timeout=PATIENCE, check=True
    )

    assert [re.sub(r',"message":.*', "}}", line) for line in ran.stdout.splitlines()] == [
        '{"jsonrpc":"2.0","id":"h1","result":{}}',
        '{"jsonrpc":"2.0","id":"h2","error":{"code":-32601}}',
        '{"jsonrpc":"2.0","id":"h3","error":{"code":-32010}}',
    ]
