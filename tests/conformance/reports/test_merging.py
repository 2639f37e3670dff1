"""Reports of shards are merged into one report of the whole run, or rejected with one sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine
from loopspec.engine.run import Summary
from loopspec.reports.account import Account
from loopspec.reports.jsonl import Line, RunLine, read_report, write_report
from loopspec.reports.merging import merged, read_accounts
from loopspec.specification.features import compiled
from loopspec.specification.selection import Shard

from .. import broken
from ..process import Reported, reported

LOADER = f"py:{broken.__name__}:Loader"
CHOSEN = ["--area=AMD-DEPTH", "--rule=AMD-CFG-01", "--seed=3", "--variants=none", "-q"]
STALE = "AMD-DEPTH-03 :: A readable file on level 6"  # a case that passes
BASELINE = "".join(f'[[known]]\ncase = "{entry}"\nreason = "so"\n' for entry in ("AMD-DEPTH-01", STALE))

Alter = Callable[[RunLine], RunLine]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A failing run as `whole`, its shards as `1` to `3`, and a run of another implementation as `other`."""
    folder = tmp_path_factory.mktemp("shards")
    (folder / "b.toml").write_text(BASELINE, encoding="utf-8")
    run = ["run", LOADER, *CHOSEN, f"--baseline={folder / 'b.toml'}"]
    assert main([*run, f"--report={folder / 'whole'}"]) == 1
    for number in (1, 2, 3):
        assert main([*run, f"--shard={number}/3", f"--report={folder / str(number)}"]) in (0, 1, 3)
    other = ["run", "reference", "--area=AMD-DEPTH", "--variants=none", "--shard=1/1", "-q"]
    assert main([*other, f"--report={folder / 'other'}"]) == 0
    return folder


@pytest.fixture
def shards(folder: Path, tmp_path: Path) -> list[Path]:
    """Copies of the shards in a temporary folder."""
    return [Path(shutil.copy(folder / name, tmp_path)) for name in "123"]


def altered(path: Path, run: Alter = lambda line: line, summary: Mapping[str, object] | None = None) -> None:
    """Rewrite a report with a changed first line or other values in the last line."""
    first, *cases, last = read_report(path)
    assert isinstance(first, RunLine)
    assert isinstance(last, Summary)
    write_report(path, [run(first), *cases, replace(last, **(summary or {}))])


def plain(line: Line) -> Line:
    """A line without the values that differ between two equal runs."""
    match line:
        case RunLine():
            return replace(line, began=0.0)
        case CaseLine():
            return replace(line, seconds=0.0)
    return line


def united(paths: Sequence[Path]) -> tuple[Account, Summary]:
    """The merged report, and its last line."""
    report = merged(paths)
    assert report.summary
    return report, report.summary


def in_order(report: Reported) -> list[Line]:
    """The lines of a report in the order of its plan."""
    by_id = {case.case: case for case in report.cases}
    lines: list[Line] = [report.run, *(by_id[case] for case in report.run.planned), report.summary]
    return [plain(line) for line in lines]


def test_merged_shards_are_the_report_of_one_run(folder: Path, tmp_path: Path) -> None:
    """The order of the shards does not matter; evidence, counts, stale entries and exit code are equal."""
    code = main(["report", *(str(folder / name) for name in "312"), "--merge", str(tmp_path / "m")])

    one, all_ = reported(folder / "whole"), reported(tmp_path / "m")
    assert [plain(line) for line in read_report(tmp_path / "m")] == in_order(one)
    assert code == all_.summary.exit_code == 1
    assert {case.verdict for case in all_.cases} == {"stale", "failed", "known", "inapplicable"}
    assert all_.summary.stale == (STALE,)
    assert all_.run.began > 0


def test_short_forms_in_several_shards_are_all_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The merged report lists them in the order of the plan, and the output counts them."""
    run = ["run", "reference", "--role=backend", "--rule=BACKEND-4[12]", "-q"]
    assert main([*run, f"--report={tmp_path / 'whole'}"]) == 0
    for number in (1, 2):
        assert main([*run, f"--shard={number}/2", f"--report={tmp_path / str(number)}"]) == 0
    capsys.readouterr()

    assert main(["report", str(tmp_path / "1"), str(tmp_path / "2"), "--merge", str(tmp_path / "m")]) == 0

    short = reported(tmp_path / "whole").run.short
    assert reported(tmp_path / "m").run.short == short
    assert f"{len(short)} examples were judged in their short form" in capsys.readouterr().out
    assert all(reported(tmp_path / name).run.short for name in "12")


def test_a_merge_prints_what_the_run_prints(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The merge prints the same failures and the same last sentence, without the head of a run."""
    main(["run", LOADER, *CHOSEN[:-1], f"--baseline={folder / 'b.toml'}"])
    announced, _, ran = capsys.readouterr().out.partition("\n")

    main(["report", *(str(folder / name) for name in "123"), "--merge", str(tmp_path / "m")])

    assert capsys.readouterr().out == ran
    assert "failed AMD-DEPTH-02" in ran
    assert announced.startswith("loopspec ")
    assert "(shard " not in ran


def test_a_rule_is_stale_if_it_fails_in_no_shard(tmp_path: Path) -> None:
    """No shard has all cases of the rule, so only the merge finds the stale entry."""
    (tmp_path / "b.toml").write_text('[[known]]\ncase = "AMD-DEPTH-01"\nreason = "so"\n', encoding="utf-8")
    paths = [tmp_path / "1", tmp_path / "2"]
    run = ["run", "reference", "--rule=AMD-DEPTH-01", "--variants=none", f"--baseline={tmp_path / 'b.toml'}", "-q"]

    codes = [main([*run, f"--shard={number}/2", f"--report={path}"]) for number, path in enumerate(paths, start=1)]

    report, summary = united(paths)
    assert codes == [0, 0]
    assert (summary.stale, summary.exit_code) == (("AMD-DEPTH-01",), 3)
    assert len(report.results) == 3


@pytest.mark.parametrize(
    ("summary", "code"), [({}, 1), ({"aborted": "it hangs"}, 4), ({"interrupted": True}, 130), ({"canary": False}, 5)]
)
def test_an_aborted_shard_aborts_the_run(summary: dict[str, object], code: int, shards: list[Path]) -> None:
    """An aborted or interrupted shard, or a canary that passed, decides the exit code of the merge."""
    altered(shards[1], summary=summary)

    _, found = united(shards)

    assert found.exit_code == code
    assert {name: getattr(found, name) for name in summary} == summary


def test_a_lost_case_of_a_shard_is_noticed(shards: list[Path]) -> None:
    """A planned case without a result invalidates every verdict."""
    first, _, *rest = read_report(shards[1])
    write_report(shards[1], [first, *rest])

    report, summary = united(shards)

    assert (summary.exit_code, summary.planned - summary.accounted) == (5, 1)
    assert len(report.lines) == summary.accounted


def test_nothing_judged_in_any_shard_is_a_failure(tmp_path: Path) -> None:
    """The exit codes of the shards do not matter."""
    paths = [tmp_path / "1", tmp_path / "2"]
    backend = f"py:{broken.__name__}:Backend"
    for number, path in enumerate(paths, start=1):
        main(["run", backend, "--rule=AMD-DEPTH-0*", f"--shard={number}/2", "-q", f"--report={path}"])
        altered(path, summary={"exit_code": 0})

    assert united(paths)[1].exit_code == 5


# -- rejected shards ---------------------------------------------------------------------------------------------------

Shards = Callable[[list[Path]], Sequence[Path]]


def second(run: Alter) -> Shards:
    """The three shards with another first line in the second one."""

    def change(shards: list[Path]) -> Sequence[Path]:
        altered(shards[1], run)
        return shards

    return change


def cut_off(shards: list[Path]) -> Sequence[Path]:
    """The three shards, the last of which lacks its end."""
    shards[2].write_bytes(shards[2].read_bytes()[:-9])
    return shards


REJECTED: dict[str, Shards] = {
    "a missing one": lambda shards: [shards[0], shards[2]],
    "two missing ones": lambda shards: [shards[1]],
    "a repeated one": lambda shards: [*shards, shards[0]],
    "a truncated one": cut_off,
    "a case in two": second(lambda line: replace(line, planned=tuple(dict.fromkeys((*line.planned, *line.whole))))),
    "a case in none": second(lambda line: replace(line, planned=line.planned[1:])),
    "another version": second(lambda line: replace(line, suite="9")),
    "other features": second(lambda line: replace(line, features="other")),
    "another implementation": second(lambda line: replace(line, identity=Identity(name="other"))),
    "other roles": second(lambda line: replace(line, roles=())),
    "strict": second(lambda line: replace(line, strict=True)),
    "another role": second(lambda line: replace(line, role="loader")),
    "another seed": second(lambda line: replace(line, seed=4)),
    "another baseline": second(lambda line: replace(line, baseline=())),
    "another selection": second(lambda line: replace(line, whole=line.whole[1:])),
    "another number": second(lambda line: replace(line, shard=Shard(2, 4))),
}


@pytest.mark.parametrize("why", REJECTED)
def test_shards_that_are_not_those_of_one_run_are_rejected(
    why: str, shards: list[Path], capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """The sentence names the files and the difference, and is the same for each form; nothing is written."""
    paths, said = REJECTED[why](shards), []
    for wanted in (["--merge", str(paths[0].parent / "merged")], ["--markdown"]):
        assert main(["report", *map(str, paths), *wanted]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n"), (paths[0].parent / "merged").exists()) == ("", 1, False)
        said.append(err.removeprefix("loopspec: ").strip().replace(f"{paths[0].parent}/", ""))

    assert said[0] == said[1]
    assert said[0].replace(LOADER, "TARGET") == snapshot


def test_shards_of_other_features_than_those_here(shards: list[Path]) -> None:
    """Rules of other features are unknown."""
    for path in shards:
        altered(path, lambda line: replace(line, features="other"))

    with pytest.raises(UsageError, match=r"1, .*2, .*3 are about other features than these: use the loopspec that "):
        read_accounts(shards)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [("whole", "whole is no shard: it is the report of a whole run already"), ("other", "are about different targets")],
)
def test_only_the_shards_of_one_run_are_merged(
    more: str, sentence: str, folder: Path, shards: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A table can compare shards with other reports."""
    given = [*map(str, shards), str(folder / more)]

    assert main(["report", *given, "--merge", str(folder / "m")]) == 2
    assert sentence in capsys.readouterr().err
    assert main(["report", *given, "--markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[0].count("|") == 5


def test_a_merge_overwrites_no_shard(shards: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """An output path that cannot be written is an error."""
    before = shards[0].read_bytes()

    assert main(["report", *map(str, shards), "--merge", str(shards[0])]) == 2
    assert main(["report", *map(str, shards), "--merge", str(shards[0].parent)]) == 2

    assert "both name" in capsys.readouterr().err
    assert shards[0].read_bytes() == before


# -- shards next to other reports --------------------------------------------------------------------------------------


def test_shards_replace_the_first_of_them(folder: Path) -> None:
    """Shards count as one report; other reports are unchanged."""
    names = ["2", "whole", "3", "other", "1"]

    reports = read_accounts([folder / name for name in names])

    assert [[path.name for path in each.paths] for each in reports] == [["1", "2", "3"], ["whole"], ["other"]]
    assert sorted(line.case for line in reports[0].lines) == sorted(line.case for line in reports[1].lines)
    assert [plain(line) for line in reports[1].written] == [plain(line) for line in read_report(folder / "whole")]
    assert len(reports[2].lines) == sum(case.rule.ids[0].startswith("AMD-DEPTH") for case in compiled())


def test_every_form_of_a_report_takes_shards(folder: Path, tmp_path: Path) -> None:
    """The result is the same as for the merged report."""
    shards = [str(folder / name) for name in "123"]
    main(["report", *shards, "--merge", str(tmp_path / "m")])

    for name, given in (("parts", shards), ("one", [str(tmp_path / "m")])):
        assert main(["report", *given, "--junit", str(tmp_path / name)]) == 0

    assert (tmp_path / "parts").read_bytes() == (tmp_path / "one").read_bytes()
    assert b"(shard " not in (tmp_path / "one").read_bytes()
