"""The cache of compiled features."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from loopspec.contract.specification import features_root
from loopspec.specification import compiling, store
from loopspec.specification.compiling import compile_features
from loopspec.specification.features import CANARY_FILE, cases_of_rule, compiled, sources
from loopspec.specification.store import Store, StoredFeature, load, make

LEDGER = ((features_root() / "ledger.toml").read_bytes(),)
FEATURE = """\
Feature: A feature
  @SMALL-0{n} @documented
  Rule: A sentence

    Scenario: A title
      Given the instruction file "/p/a.md" containing "{content}"
      When the instructions are loaded
      Then no warning is given
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "loopspec"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The compiled files, in order."""
    files: list[str] = []

    def compile_and_see(texts: Mapping[str, bytes]) -> dict[str, StoredFeature]:
        files.extend(texts)
        return compile_features(texts)

    monkeypatch.setattr(compiling, "compile_features", compile_and_see)
    return files


def texts(*contents: str) -> dict[str, bytes]:
    """Feature files with these contents."""
    return {f"{n}.feature": FEATURE.format(n=n, content=content).encode() for n, content in enumerate(contents, 1)}


def test_compiled_features_are_read_from_the_cache(cache: Path, seen: list[str]) -> None:
    """The second load reads the cache and gives the same result."""
    first = load(texts("A", "B"), LEDGER)
    second = load(texts("A", "B"), LEDGER)

    assert seen == ["1.feature", "2.feature"]
    assert second == first
    assert len(list(cache.iterdir())) == 1


def test_only_a_changed_feature_is_compiled(cache: Path, seen: list[str]) -> None:
    """A changed, a new and a removed file leave the other files in the cache."""
    load(texts("A", "B", "C"), LEDGER)
    seen.clear()

    changed = load({name: text for name, text in texts("A", "other", "C", "D").items() if name[0] != "3"}, LEDGER)

    assert seen == ["2.feature", "4.feature"]
    assert list(changed.features) == ["1.feature", "2.feature", "4.feature"]
    assert b'"other"' in bytes(changed.feature("2.feature").cases[0].scene)
    assert changed == load({n: t for n, t in texts("A", "other", "C", "D").items() if n[0] != "3"}, LEDGER)


def test_a_changed_ledger_is_read_again(cache: Path) -> None:
    """The ledger is cached under its own digest."""
    load(texts("A"), LEDGER)

    changed = load(texts("A"), (LEDGER[0].replace(b"Advice to authors", b"Another word to authors"),))

    assert b"Another word to authors" in bytes(changed.ledger)


def test_changed_code_compiles_everything(cache: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed phrase, contract or library may give another Scene. The earlier store is kept."""
    load(texts("A"), LEDGER)
    monkeypatch.setattr(store, "code_key", lambda: "0123456789abcdef")

    load(texts("A"), LEDGER)

    assert seen == ["1.feature", "1.feature"]
    assert len(list(cache.iterdir())) == 2


def test_stores_of_old_code_are_removed_from_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache keeps a limited number of stores; other files are not removed."""
    cache.mkdir()
    (cache / "other").write_text("not ours to remove")
    for n in range(6):
        monkeypatch.setattr(store, "code_key", lambda n=n: f"key-{n}")
        load(texts("A"), LEDGER)

    names = sorted(path.name for path in cache.iterdir())
    assert len(names) == 5
    assert {"other", "compiled-key-5.json"} <= set(names)


@pytest.mark.parametrize("spoiled", [b"", b"{", b"[]", b"\xff", b'{"key":"?"}'])
def test_a_damaged_store_is_compiled_again(cache: Path, spoiled: bytes) -> None:
    """A damaged store is compiled again."""
    whole = load(texts("A"), LEDGER)
    (file,) = cache.iterdir()
    file.write_bytes(spoiled)

    assert load(texts("A"), LEDGER) == whole
    assert file.read_bytes() != spoiled


def test_without_a_cache_everything_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be no home folder, or a file instead of the cache folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load(texts("A"), LEDGER).rules == {"SMALL-01": ("1.feature",)}

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert load(texts("A"), LEDGER).rules == {"SMALL-01": ("1.feature",)}


def test_a_store_in_the_wheel_precedes_the_cache(
    cache: Path, seen: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shipped store of the same code is used, and nothing is written."""
    shipped = tmp_path / "compiled.json"
    shipped.write_bytes(make(texts("A"), LEDGER))
    monkeypatch.setattr(store, "SHIPPED", shipped)
    seen.clear()

    load(texts("A"), LEDGER)

    assert seen == []
    assert not cache.exists()


def test_everything_is_stored_as_data() -> None:
    """The store is JSON that decodes to the same Scenes, and to phrases by id."""
    again = msgspec.json.decode(make(*sources(features_root())), type=Store)

    assert set(again.features) == {case.file for case in compiled()} | {CANARY_FILE}
    for file in again.features:
        assert {phrase.partition(" ")[0] for phrase in again.feature(file).phrases} == {"then"}


def test_the_cases_of_a_rule_are_found_without_loading_the_others() -> None:
    """The cases are the same as among all cases; an unknown rule has none."""
    for rule in ("AMD-DEPTH-01", "LOOP-01", "XP-SUM-01"):
        expected = [case for case in compiled() if rule in case.rule.ids]
        found = cases_of_rule(rule)
        assert [case.id for case in found] == [case.id for case in expected]
        assert [case.scene for case in found] == [case.scene for case in expected]
    assert cases_of_rule("AMD-NOTHING-01") == ()


def test_compiling_restores_the_garbage_collector() -> None:
    """The garbage collector stays enabled or disabled."""
    try:
        for collects in (gc.disable, gc.enable):
            collects()
            before = gc.isenabled()
            compile_features(texts("A"))
            assert gc.isenabled() is before
    finally:
        gc.enable()


@pytest.mark.long
def test_a_changed_phrase_is_compiled_in_the_next_run(tmp_path: Path) -> None:
    """In a copy of the code, a phrase gets another meaning, and the next start compiles it."""
    code = f"""
import shutil, sys
from pathlib import Path
copy = Path({str(tmp_path)!r}) / "code"
if not copy.exists():
    shutil.copytree({str(Path(store.__file__).parents[1])!r}, copy / "loopspec")
    shutil.copytree({str(_steps())!r}, copy / "loopspec_steps")
    shutil.copytree({str(features_root())!r}, copy / "loopspec/features")
else:
    file = copy / "loopspec_steps/given/files.py"
    text = file.read_text()
    changed = text.replace(
        "scene_builder.write(path, file_of(content))", "scene_builder.write(path, file_of('changed'))"
    )
    assert changed != text
    file.write_text(changed)
sys.path.insert(0, str(copy))
import loopspec_steps
from loopspec.specification.features import compiled
assert Path(loopspec_steps.__file__).is_relative_to(copy)
print(sum(file.text == "changed" for case in compiled() for file in case.scene.files.values()))
"""
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": ""}
    said = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]

    assert int(said[0]) == 0
    assert int(said[1]) > 100
    assert len(list((tmp_path / "cache/loopspec").iterdir())) == 2


def _steps() -> Path:
    import loopspec_steps

    return Path(loopspec_steps.__file__).parent
