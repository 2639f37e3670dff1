"""The baseline file: reading, judging by it, writing it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from loopspec.contract.faults import UsageError
from loopspec.engine.baseline import UNEXPLAINED, Baseline, Known, load_baseline, prune, write_baseline
from loopspec.engine.verdict import Verdict
from loopspec.specification.features import compiled

from ..staging import case_of, result_of

FIRST, SECOND = case_of("AMD-DEPTH-01"), case_of("AMD-DEPTH-01", 1)


def test_a_baseline_is_read(tmp_path: Path) -> None:
    """Entries name a case or a whole rule, give a reason and may give a link."""
    (tmp_path / "b.toml").write_text(
        f'[[known]]\ncase = "{FIRST.id}"\nreason = "why"\nlink = "https://example.com"\n'
        '[[known]]\ncase = "AMD-DEPTH-02"\nreason = "so"\n',
        encoding="utf-8",
    )

    assert load_baseline(tmp_path / "b.toml", compiled()) == Baseline(
        known=(
            Known(case=FIRST.id, reason="why", link="https://example.com"),
            Known(case="AMD-DEPTH-02", reason="so"),
        )
    )


@pytest.mark.parametrize(
    ("verdict", "judged"),
    [
        ("failed", "known"),
        ("passed", "stale"),
        ("errored", "errored"),
        ("crashed", "crashed"),
        ("timed-out", "timed-out"),
        ("not-run", "not-run"),
        ("inapplicable", "inapplicable"),
    ],
)
@pytest.mark.parametrize("name", [FIRST.id, "AMD-DEPTH-01"])
def test_only_a_plain_failure_can_be_known(name: str, verdict: Verdict, judged: Verdict) -> None:
    """A breakdown is no way of doing something differently."""
    baseline = Baseline(known=(Known(case=name, reason="why"),))

    if name != FIRST.id and verdict == "passed":
        judged = "passed"  # another case of the rule may still fail: the end of the run decides
    assert baseline.judge(result_of(FIRST, verdict)) == judged
    assert baseline.judge(replace(result_of(FIRST, verdict), case="another", rules=("OTHER-01",))) == verdict


def test_a_written_baseline_keeps_the_reasons_it_had(tmp_path: Path) -> None:
    """Failures that are new want a reason; what passes, or is no plain failure, is not listed."""
    before = Baseline(known=(Known(case=FIRST.id, reason='"so"', link="https://example.com/ü"),))
    passed, crashed = case_of("AMD-DEPTH-02"), case_of("AMD-DEPTH-03")
    results = [
        result_of(FIRST, "known"),
        result_of(SECOND, "failed"),
        result_of(passed, "passed"),
        result_of(crashed, "crashed"),
    ]

    assert write_baseline(tmp_path / "b.toml", "py:some:target", results, before) == 2

    text = (tmp_path / "b.toml").read_text(encoding="utf-8")
    assert text.startswith("# What py:some:target is known to do differently.")
    assert tomllib.loads(text) == {
        "known": [
            {"case": FIRST.id, "reason": '"so"', "link": "https://example.com/ü"},
            {"case": SECOND.id, "reason": UNEXPLAINED},
        ]
    }
    assert len(load_baseline(tmp_path / "b.toml", compiled()).known) == 2


def test_a_baseline_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """In one sentence."""
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        write_baseline(tmp_path, "reference", [], Baseline())


def test_a_written_baseline_keeps_what_the_run_has_not_judged(tmp_path: Path) -> None:
    """A run of a part knows nothing of the rest, nor of what did not run."""
    unjudged, elsewhere = case_of("AMD-DEPTH-02"), case_of("AMD-DEPTH-03")
    before = Baseline(known=tuple(Known(case=case.id, reason="why") for case in (FIRST, SECOND, unjudged, elsewhere)))
    results = [result_of(FIRST, "known"), result_of(SECOND, "stale"), result_of(unjudged, "inapplicable")]

    assert write_baseline(tmp_path / "b.toml", "py:some:target", results, before) == 1

    kept = load_baseline(tmp_path / "b.toml", compiled())
    assert [known.case for known in kept.known] == [FIRST.id, unjudged.id, elsewhere.id]
    assert {known.reason for known in kept.known} == {"why"}


@pytest.mark.parametrize(
    "text",
    [
        'known = [{case = "AMD-DEPTH-01", reason = "x"}]\n',
        '[["known"]]\ncase = "AMD-DEPTH-01"\nreason = "x"\n',
        '[[known]]\ncase = "AMD-DEPTH-01"\nreason = """\n[[known]]\n"""\n',
    ],
)
def test_a_baseline_that_cannot_be_pruned_says_so(text: str, tmp_path: Path) -> None:
    """It stays as it is."""
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    load_baseline(tmp_path / "b.toml", compiled())

    with pytest.raises(UsageError, match="cannot be pruned: write each entry below a line"):
        prune(tmp_path / "b.toml", ["AMD-DEPTH-01"])
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == text


def test_pruning_keeps_the_ends_of_lines_and_takes_a_byte_order_mark(tmp_path: Path) -> None:
    """As editors on Windows write them."""
    entries = [f'[[known]]\r\ncase = "{case.id}"\r\nreason = "x"\r\n' for case in (FIRST, SECOND)]
    (tmp_path / "b.toml").write_bytes("\r\n".join(entries).encode("utf-8-sig"))

    assert len(load_baseline(tmp_path / "b.toml", compiled()).known) == 2
    assert prune(tmp_path / "b.toml", [FIRST.id]) == 1
    assert (tmp_path / "b.toml").read_bytes() == entries[1].encode()
