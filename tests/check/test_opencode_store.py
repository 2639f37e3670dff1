"""The database of opencode, and the files of its earlier versions, are read like what `opencode export` prints."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from loopspec_check.formats.opencode import stored

from ..conformance.cli.in_process import called
from .planting import RECORDINGS
from .test_recordings import found

RECORDED = sorted((RECORDINGS / "opencode").rglob("*.json"))
COLUMNS = "id, session_id, message_id, time_created, revert, data"


def database(session: dict[str, Any], folder: Path) -> Path:
    """A database as opencode has it, with the columns that matter here."""
    path = folder / "opencode.db"
    with closing(sqlite3.connect(path)) as made, made:
        for table in ("session", "message", "part"):
            made.execute(f"CREATE TABLE {table} ({COLUMNS})")
        made.execute("INSERT INTO session (id) VALUES (?)", [session["info"]["id"]])
        for message in session["messages"]:
            info, parts = message["info"], message["parts"]
            row = [info["id"], info["sessionID"], json.dumps(info)]
            made.execute("INSERT INTO message (id, session_id, data) VALUES (?, ?, ?)", row)
            rows = [(part["id"], info["id"], json.dumps(part)) for part in parts]
            made.executemany("INSERT INTO part (id, message_id, data) VALUES (?, ?, ?)", rows)
    return path


def files(session: dict[str, Any], folder: Path) -> Path:
    """The folder `storage` of earlier versions."""
    values = {f"session/global/{session['info']['id']}": session["info"]}
    for message in session["messages"]:
        info = message["info"]
        values[f"message/{info['sessionID']}/{info['id']}"] = info
        values |= {f"part/{info['id']}/{part['id']}": part for part in message["parts"]}
    for name, value in values.items():
        path = folder / "storage" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    return folder / "storage"


@pytest.mark.parametrize("store", [database, files])
@pytest.mark.parametrize("recording", RECORDED, ids=lambda path: path.stem)
def test_a_store_is_read_like_an_export(
    recording: Path,
    store: Callable[[dict[str, Any], Path], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = store(json.loads(recording.read_text()), tmp_path)
    expected = [(one["rule"], one["at"]) for one in found(capsys, recording)]

    assert [(one["rule"], one["at"]) for one in found(capsys, path)] == expected
    assert [(one["rule"], one["at"]) for one in found(capsys, tmp_path)] == expected


def test_a_damaged_database_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database(json.loads(RECORDED[0].read_text()), tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xee" * (len(whole) - 4096))

    ended = called(capsys, "check", str(path))

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"loopspec: {path} cannot be read: database disk image is malformed\n"


def test_another_database_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"no database")
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as made:
        made.execute("CREATE TABLE session (id)")

    assert [*map(stored, (tmp_path, tmp_path / "opencode.db", tmp_path / "other.db"))] == [None, None, None]
