"""The written features are stored in the user's cache, and parsed where the stored ones cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from loopspec.pages import written as stored
from loopspec.pages.written import Feature, parse

FEATURE = """
Feature: F
  Background:
    Given one

  @AMD-DEPTH-01 @documented
  Rule: R
    Scenario: S
      When two
      Then three
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, for one feature, which has been stored there."""
    (tmp_path / "features").mkdir()
    (tmp_path / "features" / "f.feature").write_text(FEATURE, encoding="utf-8")
    monkeypatch.setattr(stored, "features_root", lambda: tmp_path / "features")
    monkeypatch.setattr(stored, "cache_folder", lambda: tmp_path / "cache")
    stored.features.__wrapped__()
    return tmp_path / "cache"


def written(cache: Path) -> Path:
    """The only file in it."""
    (path,) = cache.glob("written-*.json")
    return path


def test_what_is_stored_is_what_was_parsed(cache: Path) -> None:
    """Everything that a page shows."""
    parsed = (parse(FEATURE, "f.feature"),)

    assert msgspec.json.decode(written(cache).read_bytes(), type=tuple[Feature, ...]) == parsed
    assert stored.features.__wrapped__() == parsed
    assert [step.text for step in parsed[0].background] == ["one"]


def test_what_is_stored_is_not_parsed_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what it is stored for."""

    def refuse(text: str, file: str) -> Feature:
        raise AssertionError

    monkeypatch.setattr(stored, "parse", refuse)
    (feature,) = stored.features.__wrapped__()
    assert feature.title == "F"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
        lambda path: path.write_bytes(b"[1]"),
        lambda path: path.write_bytes(b"\xff"),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.parent.rmdir(), path.parent.write_text("no folder")),
    ],
    ids=["cut off", "other JSON", "no JSON", "a folder", "no cache"],
)
def test_what_cannot_be_read_is_parsed(cache: Path, spoil: Callable[[Path], object]) -> None:
    """Nothing is lost but time."""
    spoil(written(cache))

    (feature,) = stored.features.__wrapped__()
    assert feature.title == "F"


def test_a_changed_feature_is_parsed_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the files of earlier features do not fill the cache."""
    for number in range(6):
        monkeypatch.setattr(stored, "digest", lambda number=number: f"features {number}")
        stored.features.__wrapped__()

    assert len(list(cache.glob("written-*.json"))) == 4
