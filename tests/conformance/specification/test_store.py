"""The features, parsed once and kept in the user's cache."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from loopspec.specification.parsed import parsed_features

from loopspec.contract.specification import features_root
from loopspec.specification import cases, parsed

ROOT = features_root()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "loopspec"


def _must_not_parse(path: Path) -> parsed.Document:
    raise AssertionError(f"{path} is parsed again")


def test_what_was_parsed_is_not_parsed_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same, in the same order; nothing else is left in the cache."""
    first = parsed_features(ROOT)
    assert len(list(cache.iterdir())) == 1

    monkeypatch.setattr(parsed, "parse", _must_not_parse)

    again = parsed_features(ROOT)
    assert again == first
    assert list(again) == sorted(ROOT.rglob("*.feature"))


def test_what_is_kept_of_other_features_goes(cache: Path) -> None:
    """A cache does not grow with every version."""
    cache.mkdir()
    (cache / "features-old.json").write_text("[]")
    (cache / "other").write_text("not ours to remove")

    parsed_features(ROOT)

    assert not (cache / "features-old.json").exists()
    assert (cache / "other").exists()


@pytest.mark.parametrize("spoiled", [b"", b"{", b"[]", b"\xff", b"[1]"])
def test_a_cache_that_is_not_whole_is_made_anew(cache: Path, spoiled: bytes) -> None:
    """Nothing is lost but the time."""
    whole = parsed_features(ROOT)
    (file,) = cache.iterdir()
    file.write_bytes(spoiled)

    assert parsed_features(ROOT) == whole
    assert file.read_bytes() != spoiled


def test_without_a_cache_everything_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No home, or one that is a file."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert parsed_features(ROOT)

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert parsed_features(ROOT)


def test_features_of_somebody_elses_are_not_kept(cache: Path, tmp_path: Path) -> None:
    """Whoever writes features sees them as they are."""
    (tmp_path / "own.feature").write_text("Feature: Own\n")

    assert list(parsed_features(tmp_path)) == [tmp_path / "own.feature"]
    assert not cache.exists()


def test_compiling_leaves_the_collector_as_it_was() -> None:
    """On, or off, as whoever compiles has it."""
    for collects in (gc.disable, gc.enable):
        collects()
        before = gc.isenabled()
        cases._compiled.__wrapped__(ROOT)
        assert gc.isenabled() is before
