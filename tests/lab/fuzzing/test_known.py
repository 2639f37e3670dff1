"""Known differences: files, and which difference an entry fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec.contract.faults import UsageError
from loopspec_lab.comparing.differences import Difference
from loopspec_lab.fuzzing.known import KnownDifference, KnownDifferences, load_known
from loopspec_lab.fuzzing.printing import entry_of

ERROR = Difference(source="runs", path="1.error", ours=None, theirs="instruction")


def entry(**details: str) -> KnownDifference:
    """An entry with a reason."""
    return KnownDifference(**{"source": "runs", "reason": "why", **details})


@pytest.mark.parametrize(
    ("details", "fits"),
    [
        ({}, True),
        ({"path": "1.error"}, True),
        ({"path": "*.error"}, True),
        ({"ours": "null"}, True),
        ({"theirs": "*uct*"}, True),
        ({"path": "*", "ours": "null", "theirs": "instruction"}, True),
        ({"source": "events"}, False),
        ({"path": "2.error"}, False),
        ({"path": "error"}, False),
        ({"ours": "nothing"}, False),
        ({"theirs": "null"}, False),
        ({"theirs": "instr"}, False),
        ({"theirs": "[a-z]*"}, False),
        ({"theirs": "instructio?"}, False),
    ],
)
def test_an_entry_fits_if_every_part_does(details: dict[str, str], fits: bool) -> None:
    """An omitted pattern is any text, a value that is no text is compared as JSON, and only a star is a wildcard."""
    assert entry(**details).fits(ERROR) is fits


def test_a_missing_value_is_nothing() -> None:
    """A value that is absent is not the value null."""
    absent = Difference(source="runs", path="2", theirs={"run": "2"}, lacks="ours")

    assert entry(ours="nothing").fits(absent)
    assert not entry(ours="null").fits(absent)


def test_the_first_entry_that_fits_counts() -> None:
    """Entries are tried in order."""
    known = KnownDifferences((entry(path="2*"), entry(), entry(path="1.error")))

    assert known.index(ERROR) == 1
    assert known.index(Difference(source="loads", path="")) is None


def test_the_printed_entry_fits_its_difference(tmp_path: Path) -> None:
    """An entry can be pasted; only its reason is missing, and a reason is required."""
    odd = Difference(source="events", path="run 1.1.content", ours='a "quote"\n', theirs="x\\y [1] 规则")
    path = tmp_path / "known.toml"
    text = "\n".join(entry_of(odd))
    path.write_text(text.replace('reason = ""', 'reason = "why"'), encoding="utf-8")

    assert load_known(path).index(odd) == 0
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="line 1: the entry has no reason"):
        load_known(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[difference]]\nsource = 3\n", "line 1: "),
        ('[[difference]]\nsource = "runs"\nreason = "a"\n\n[[difference]]\nreason = "a"\n', "line 5: "),
        ('[[difference]]\nsource = "runs"\nreason = "a"\npaht = "a"\n', "line 1: .*paht"),
        ("[[difference\n", "are not valid TOML"),
    ],
)
def test_an_unusable_file_is_a_usage_error(text: str, sentence: str, tmp_path: Path) -> None:
    """The sentence names the file and the line."""
    path = tmp_path / "known.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=sentence):
        load_known(path)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_known(tmp_path / "known.toml")
