"""Known targets are installed from a folder, and judged as processes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ..conformance.process import Ended

CRLF = 'AMD-BACKEND-12 :: A file that holds "One\\r\\nTwo\\r\\n"'
MISSING = "AMD-BACKEND-05 :: A file in a missing folder"
Loopspec = Callable[..., Ended]


def lines_of(report: Path) -> list[dict[str, object]]:
    """The lines of a report."""
    return [json.loads(line) for line in report.read_text("utf-8").splitlines()]


def test_the_pinned_version_is_judged_with_its_baseline(loopspec: Loopspec, adapters: Path, tmp_path: Path) -> None:
    """The first run installs; the second does not. The output has the reason and number of deselected cases."""
    report = tmp_path / "report.jsonl"

    first = loopspec("run", "known:fake", "--role", "backend", "--report", str(report))
    second = loopspec("run", "known:fake@1.0", "--role", "backend", "-q")

    assert (first.code, second.code) == (0, 0), first.said
    assert first.err.startswith("loopspec: installing known:fake@1.0 into ")
    assert "left out: 9 cases: left out for this test" in first.out
    assert first.out.endswith("known:fake is conformant except for known failures: 1 case.\n"), first.out
    assert second.err == ""
    assert loopspec("known").out.splitlines()[1].split() == ["fake", "python", "1.0", "backend", "yes"]
    run, *cases, _ = lines_of(report)
    assert run["identity"] == {"name": "fakestore", "version": "1.0", "language": "python"}
    verdicts = {case["case"]: case["verdict"] for case in cases}
    assert verdicts[CRLF] == "passed"
    assert [case for case in verdicts if str(case).startswith("AMD-BACKEND-05 ")] == []
    selected = loopspec("run", "known:fake", "--area", "AMD-BACKEND", "--deselect", MISSING)
    assert "left out: 8 cases: left out for this test" in selected.out
    assert "left out" not in loopspec("run", "known:fake", "--rule", "AMD-BACKEND-12").out
    none = loopspec("run", "known:fake", "--case", MISSING)
    assert (none.code, none.err.splitlines()[-1].partition(":")[2][:24]) == (2, " no case is left to run:")
    assert list(Path.cwd().iterdir()) == []
    removed = loopspec("known", "--remove", "fake@1.0").out.splitlines()
    assert re.fullmatch(r"fake@1\.0-[0-9a-f]{8}", removed[0])
    assert removed[1:] == ["1 environment removed."]
    assert loopspec("known").out.splitlines()[1].split() == ["fake", "python", "1.0", "backend", "no"]


@pytest.mark.long
def test_another_version_is_judged_without_a_baseline(loopspec: Loopspec) -> None:
    """A failure counts, the known one included. In several processes, the first one installs."""
    ended = loopspec("run", "known:fake@1.1", "--role", "backend", "-n", "2")

    assert ended.code == 1, ended.said
    assert "without a baseline, which fake has for 1.0 only" in ended.out
    assert f"--case '{CRLF}'" in ended.out
    assert ended.out.endswith("known:fake@1.1 is not conformant: 2 normative cases failed.\n"), ended.out[-300:]
    assert ended.err.count("installing") == 1


@pytest.mark.long
def test_a_version_without_what_the_adapter_needs(loopspec: Loopspec) -> None:
    """The cases of a gap are not judged, and the summary of the version has their rules as not judged."""
    ended = loopspec("run", "known:fake@0.9", "--role", "backend")
    summary = json.loads(loopspec("known", "--summary", "fake@0.9").out)

    assert "left out: 1 case: a gap for this test" in ended.out
    assert ended.out.endswith("known:fake@0.9 is not conformant: 1 normative case failed.\n"), ended.out[-300:]
    assert (summary["target"], summary["version"]) == ("fake", "0.9")
    assert "reason" not in summary
    assert "AMD-BACKEND-12" in summary["verdicts"]["failed"]  # another of its cases fails
    assert "gaps" not in summary


def test_a_version_that_the_adapter_cannot_drive_is_not_judged(loopspec: Loopspec, tmp_path: Path) -> None:
    """The sentence has the reason; the summary has the reason without a path of this machine."""
    ended = loopspec("run", "known:fake@2.0")
    summary = json.loads(loopspec("known", "--summary", "fake@2.0").out)

    assert ended.code == 4
    start = "loopspec: known:fake@2.0 is not judged: its adapter, made for 1.0, cannot drive this version: "
    assert ended.err.splitlines()[-1].startswith(start)
    assert "cannot import name 'Store' from 'fakestore'" in ended.err
    assert "cannot import name 'Store'" in summary["reason"]
    assert str(tmp_path / "cache") not in summary["reason"]
    assert "verdicts" not in summary


def test_a_version_that_does_not_exist_is_one_sentence(loopspec: Loopspec, tmp_path: Path) -> None:
    """The exit code is 4; the output of the installation remains, and no environment does."""
    ended = loopspec("run", "known:fake@9.9")

    assert ended.code == 4
    *_, sentence = ended.err.splitlines()
    assert re.match(r"loopspec: known:fake@9\.9 cannot be installed: `.*` ended with \d+: .*fakestore==9\.9", sentence)
    log = Path(sentence.partition("; ")[2].removesuffix(" has the whole output"))
    assert "fakestore==9.9" in log.read_text("utf-8")
    assert [path.name for path in (tmp_path / "cache/loopspec/known").iterdir() if path.is_dir()] == []
