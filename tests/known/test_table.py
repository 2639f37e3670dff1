"""`loopspec known --table`: complete, incomplete, interrupted and continued."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from loopspec.contract.faults import TargetUnusable
from loopspec.contract.specification import is_cached
from loopspec.engine.deadlines import DEFAULT_DEADLINE
from loopspec.targets.kinds import prepared
from loopspec_known import environments
from loopspec_known import results as known_results
from loopspec_known import table as known_table
from loopspec_known.declarations import Known, known
from loopspec_known.environments import Words, commands, environment_of
from loopspec_known.results import Results
from loopspec_known.table import is_complete, kept_report, kit_digest

from ..conformance.cli.in_process import called
from ..conformance.process import Ended, has_ended
from .conftest import interrupted_once, judge_here

Loopspec = Callable[..., Ended]
SAME = "The results are those that ship with this version of loopspec."
# The case of the baseline fails.
STORE = """\
class Opened:
    def __init__(self, files):
        self.files = files

    def read(self, request):
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        content = self.files[request.file_path]
        return content.upper() if content == b"no line end" else content


class Stored:
    name, version = "fakestore", "1.0"

    def open(self, files):
        return Opened(files)
"""
OTHERS_SAME = "The results in the table are those that ship with this version of loopspec."


@pytest.fixture
def two(adapters: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of adapters with the adapters `fake` and `other`, which the table judges.

    Version 9.9 cannot be installed. The environment of every other version is empty.
    """
    path = adapters / "fake" / "known.toml"
    text = path.read_text("utf-8").replace('roles = ["backend"]', 'roles = ["backend", "loader"]')
    path.write_text(text, "utf-8")
    other = adapters / "other"
    other.mkdir()
    (other / "baseline.toml").write_bytes((adapters / "fake" / "baseline.toml").read_bytes())
    (other / "known.toml").write_text(text.replace('name = "fake"', 'name = "other"'), "utf-8")
    monkeypatch.setattr(known_results, "adapters_root", lambda: adapters)
    monkeypatch.setattr(known_table, "adapters_root", lambda: adapters)

    def commands_of(known: Known, folder: Path) -> list[Words]:
        if known.adapter.language == "go":
            return commands(known, folder)
        return [(sys.executable, "-c", f"raise SystemExit({known.version == '9.9'})")]

    monkeypatch.setattr(environments, "commands", commands_of)
    return adapters


@pytest.fixture
def judged(two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the targets that a table judges, each by the rules of one area, in this process."""
    names: list[str] = []

    def judge(target: str, report: Path, *options: str) -> None:
        names.append(target)
        baseline = two / target.removeprefix("known:") / "baseline.toml"
        known = ("--baseline", str(baseline)) if baseline.is_file() else ()
        judge_here("py:store:Stored" if known else target, report, "--area", "AMD-BACKEND", *known)

    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "store.py").write_text(STORE, "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(known_table, "judge", judge)
    monkeypatch.setattr(known_table, "results", lambda: Results(1, ()))
    return names


@pytest.fixture
def loopspec(capsys: pytest.CaptureFixture[str]) -> Loopspec:
    """Calls a command in this process."""
    return partial(called, capsys)


@pytest.fixture
def shipped(judged: list[str], loopspec: Loopspec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """The results of a table, which are those that ship from now on."""
    first = loopspec("known", "--table", "--write", str(tmp_path / "first.json"))
    found = msgspec.json.decode((tmp_path / "first.json").read_bytes(), type=Results)
    monkeypatch.setattr(known_table, "results", lambda: found)
    assert judged == ["reference", "known:fake", "known:other"]
    assert (first.code, first.err.count("fakestore 1.0 is not in the results that ship")) == (1, 2)
    judged.clear()
    return found


def kept_reports(tmp_path: Path) -> list[str]:
    """The names of the targets whose reports are in the cache."""
    return sorted(path.name.rpartition("-")[0] for path in (tmp_path / "cache/loopspec/table").glob("*"))


def test_a_complete_table(shipped: Results, judged: list[str], loopspec: Loopspec, tmp_path: Path) -> None:
    """Without a difference the command says so. No report is kept, so the next table judges everything again."""
    ended = loopspec("known", "--table", "--write", str(tmp_path / "second.json"))

    assert ended.code == 0, ended.said
    assert ended.out.splitlines()[-1] == SAME
    assert sum(line.startswith("| fakestore 1.0 |") for line in ended.out.splitlines()) == 2
    assert msgspec.json.decode((tmp_path / "second.json").read_bytes(), type=Results) == shipped
    assert judged == ["reference", "known:fake", "known:other"]
    assert kept_reports(tmp_path) == []


def test_the_table_judges_as_a_plain_run_does(
    two: Path, judged: list[str], loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So `loopspec run known:NAME` prints the figures of the table. Both give each case more time than usual."""
    options: dict[str, tuple[str, ...]] = {}
    judge = known_table.judge

    def noted(target: str, report: Path, *words: str) -> None:
        options[target] = words
        judge(target, report, *words)

    monkeypatch.setattr(known_table, "judge", noted)
    loopspec("known", "--table")

    assert options.keys() == {"reference", "known:fake", "known:other"}
    assert set(options.values()) == {("-n", "2")}
    deadline = prepared("known:fake").deadline
    assert deadline is not None
    assert deadline > DEFAULT_DEADLINE


def test_a_difference_is_a_sentence(shipped: Results, judged: list[str], two: Path, loopspec: Loopspec) -> None:
    """The known failure of one adapter is new."""
    (two / "other" / "baseline.toml").write_bytes(b"")

    ended = loopspec("known", "--table")

    assert ended.code == 1
    assert "loopspec: fakestore 1.0: AMD-BACKEND-12 is failed, and known in the results that ship" in ended.err
    assert SAME not in ended.out


def test_a_missing_program_fails_nothing(shipped: Results, judged: list[str], two: Path, loopspec: Loopspec) -> None:
    """A target in Go is not judged on a machine without Go, and one sentence says why."""
    path = two / "other" / "known.toml"
    path.write_text(path.read_text("utf-8").replace('"python"', '"go"'), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        ended = loopspec("known", "--table")

    assert ended.code == 0, ended.said
    assert "loopspec: known:other@1.0 is not judged: go is not on PATH" in ended.err.splitlines()
    assert "installing known:other" not in ended.err
    assert ended.out.splitlines()[-1] == OTHERS_SAME
    assert judged == ["reference", "known:fake"]


def test_a_failed_installation_does_not_stop_the_command(
    shipped: Results, judged: list[str], two: Path, loopspec: Loopspec, tmp_path: Path
) -> None:
    """The exit code is 4. The next table judges only the target that had failed."""
    path = two / "fake" / "known.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace('fakestore = "1.0"', 'fakestore = "9.9"'), "utf-8")
    first = loopspec("known", "--table")

    assert first.code == 4
    assert "loopspec: known:fake@9.9 cannot be installed: " in first.err
    assert first.out.splitlines()[-1] == OTHERS_SAME
    assert judged == ["reference", "known:other"]
    assert first.out.count("| fakestore 1.0 |") == 1
    assert kept_reports(tmp_path) == ["other", "reference"]
    assert loopspec("known", "--remove", "all").code == 0
    assert kept_reports(tmp_path) == []

    judged.clear()
    (two / "fake" / "known.toml").write_text(text, "utf-8")
    # the declarations of an adapter are a part of what a verdict depends on
    assert loopspec("known", "--table").code == 0
    assert judged == ["reference", "known:fake", "known:other"]


def judging_all_but_fake(error: BaseException) -> Callable[..., None]:
    """What judges a target as before, and raises the error for known:fake."""
    judge = known_table.judge

    def judging(target: str, report: Path, *options: str) -> None:
        if target == "known:fake":
            raise error
        judge(target, report, *options)

    return judging


@pytest.mark.parametrize(
    ("error", "code"),
    [(TargetUnusable("known:fake was not judged: the run ended with exit code -9"), 4), (KeyboardInterrupt(), 130)],
    ids=["killed by the system", "Ctrl-C"],
)
def test_a_table_whose_run_ends_early_continues(
    error: BaseException,
    code: int,
    shipped: Results,
    judged: list[str],
    loopspec: Loopspec,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The target under way is judged again; the reports of the others are kept, and are used once."""
    with monkeypatch.context() as patch:
        patch.setattr(known_table, "judge", judging_all_but_fake(error))
        first = loopspec("known", "--table")
    before = [*judged]
    second = loopspec("known", "--table")

    assert (first.code, second.code) == (code, 0), second.said
    assert code != 4 or f"loopspec: {error}" in first.err
    assert sorted(judged) == ["known:fake", "known:other", "reference"]
    assert [line for line in second.err.splitlines() if "is already judged: its report is in the cache" in line] == [
        f"loopspec: {name} is already judged: its report is in the cache" for name in before
    ]
    assert second.out.splitlines()[-1] == SAME
    assert kept_reports(tmp_path) == []


def keep(of: Known | None, report: Path) -> None:
    """Keep a report as the table does."""
    known_table.keep(report, kept_report(of, kit_digest()))


def is_kept(of: Known | None) -> bool:
    """Whether there is a valid report on a known target, or on the reference."""
    return is_cached(path := kept_report(of, kit_digest())) and is_complete(path)


@pytest.mark.parametrize("changed", ["other_packages", "the_kit", "a_cut_off_report"])
def test_a_kept_report_is_valid_for_what_was_judged(
    changed: str, shipped: Results, judged: list[str], two: Path, loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change, everything that the change concerns is judged again."""
    report = two / "report.jsonl"
    known_table.judge("known:fake", report)
    keep(known("fake"), report)
    assert is_kept(known("fake"))
    assert not is_kept(None)

    if changed == "other_packages":
        assert environment_of(known("fake@1.1")) != environment_of(known("fake"))
        assert not is_kept(known("fake@1.1"))
    elif changed == "the_kit":
        (two / "fake" / "fake_adapter.py").write_text("# changed", "utf-8")
        assert not is_kept(known("fake"))
    else:
        report.write_bytes(report.read_bytes().rpartition(b'{"type":"summary"')[0])
        assert not is_complete(report)
        keep(known("fake"), report)
        assert not is_kept(known("fake"))


def test_a_cache_that_cannot_be_written_keeps_nothing(
    judged: list[str], two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference needs no environment, and so no cache."""
    (tmp_path / "file").touch()
    report = two / "report.jsonl"
    known_table.judge("reference", report)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    keep(None, report)

    assert not is_kept(None)


def test_an_interrupt_ends_the_run_of_a_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves no process of the target, which stays in a session of its own."""
    marker = tmp_path / "pid"
    (tmp_path / "hangs.py").write_text(
        f"import os, pathlib, time; pathlib.Path({str(marker)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = shlex.join([sys.executable, str(tmp_path / "hangs.py")])
    # pytest replaces standard error by an object without a file
    with (tmp_path / "output").open("w") as output, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", output)
        with interrupted_once(lambda: marker.exists() and marker.read_text()):
            known_table.judge(f"cmd:{words}", tmp_path / "report.jsonl", "--area", "LOOP")

    assert has_ended(int(marker.read_text()))
