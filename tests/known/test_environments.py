"""Environments in the cache: complete or missing, whatever happens while one is built."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec.contract.faults import TargetUnusable
from loopspec.targets.process.target import ProcessTarget
from loopspec.targets.resolve import python_factory
from loopspec_known import environments
from loopspec_known.declarations import known
from loopspec_known.environments import Words, built_files, environment_of, installed, program_folder, remove
from loopspec_known.target import command_of

from ..conformance.process import is_alive
from .conftest import interrupted_once

WRITE = "import pathlib, sys, time; pathlib.Path('made').write_text(sys.argv[1]); time.sleep(float(sys.argv[2]))"


@pytest.fixture
def building(adapters: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces the commands that build an environment."""

    def replace(*words: str) -> None:
        wanted: list[Words] = [(sys.executable, "-c", *words)]
        monkeypatch.setattr(environments, "commands", lambda known, folder: wanted)

    return replace


def test_an_environment_is_built_once(building: Callable[..., None]) -> None:
    """The commands run in its folder. Their output is in the log."""
    building(f"print('hello'); {WRITE}", "first", "0")

    folder = installed(known("fake"))
    building(WRITE, "second", "0")

    assert installed(known("fake@1.0")) == folder == environment_of(known("fake"))
    assert (folder / "made").read_text() == "first"
    assert "hello" in Path(f"{folder}.log").read_text()
    assert not environment_of(known("fake@1.1")).exists()


def test_a_failed_command_leaves_no_environment(building: Callable[..., None]) -> None:
    """The sentence has the last error of the output; the whole output is in the log, and is evidence."""
    building("print('ERROR: no such package'); print('bye'); raise SystemExit(7)")

    with pytest.raises(TargetUnusable, match=r"ended with 7: ERROR: no such package; .* has the whole output") as error:
        installed(known("fake"))

    folder = environment_of(known("fake"))
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == []
    assert "bye" in error.value.evidence["installation"]
    assert "bye" in Path(f"{folder}.log").read_text()


def test_requirements_that_do_not_fit_together_are_named(building: Callable[..., None]) -> None:
    """The last line of pip about a conflict is an address, and says nothing."""
    said = "The conflict is caused by:\\n    You want a==2\\n    b 1 needs a<2\\n\\nTo fix this\\nERROR: see x"
    building(f"print('{said}'); raise SystemExit(1)")

    with pytest.raises(TargetUnusable, match=r"ended with 1: You want a==2; b 1 needs a<2; .* has the whole output"):
        installed(known("fake"))


def test_an_interrupt_ends_the_commands_and_leaves_no_environment(building: Callable[..., None]) -> None:
    """Ctrl-C while a command runs: its processes end, and the next run builds again."""
    building("import os, time; print(os.getpid(), flush=True); time.sleep(60)")
    folder = environment_of(known("fake"))
    log = Path(f"{folder}.log")

    with interrupted_once(lambda: log.exists() and log.read_text().splitlines()[1:]):
        installed(known("fake"))

    process = int(log.read_text().splitlines()[1])
    assert not is_alive(process)
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == []
    building(WRITE, "again", "0")
    assert (installed(known("fake")) / "made").read_text() == "again"


def test_what_a_killed_process_left_is_no_environment(building: Callable[..., None]) -> None:
    """The lock of a killed process is free, and its folder is replaced."""
    folder = environment_of(known("fake"))
    left = Path(f"{folder}.building")
    left.mkdir(parents=True)
    (left / "partly").touch()
    Path(f"{folder}.lock").touch()
    building(WRITE, "new", "0")

    assert not environment_of(known("fake")).exists()
    assert sorted(path.name for path in installed(known("fake")).iterdir()) == ["made"]


def test_concurrent_runs_build_once(building: Callable[..., None], capfd: pytest.CaptureFixture[str]) -> None:
    """The second waits for the first, and uses its environment."""
    building(WRITE, "one", "0.5")
    folders: list[Path] = []
    threads = [threading.Thread(target=lambda: folders.append(installed(known("fake")))) for _ in range(3)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert folders == [environment_of(known("fake"))] * 3
    said = capfd.readouterr().err
    assert said.count("installing known:fake@1.0") == 1
    assert said.count("waiting for another process") == 2


def test_environments_are_removed_by_name_by_version_or_all(building: Callable[..., None]) -> None:
    """Other environments stay."""
    building(WRITE, "x", "0")
    first, second = (installed(known(name)) for name in ("fake@1.0", "fake@1.1"))

    assert remove("fake", "1.1") == [second.name]
    assert (first.is_dir(), second.is_dir()) == (True, False)
    assert remove("fak") == []
    assert remove("fake") == [first.name]
    installed(known("fake"))
    assert remove() == [first.name]
    assert remove() == []


def test_a_changed_source_of_a_compiled_adapter_has_another_environment(adapters: Path) -> None:
    """Declarations, tests and what a build leaves are no source."""
    folder = adapters / "fake"
    text = (folder / "known.toml").read_text()
    (folder / "known.toml").write_text(text.replace('"python"', '"go"'))
    (folder / "main.go").write_text("package main")
    before = environment_of(known("fake"))

    (folder / "baseline.toml").write_text("")
    (folder / "build").mkdir()
    for name in ("go.sum", "main_test.go", "build/adapter"):
        (folder / name).touch()
    assert [path.name for path in built_files(folder)] == ["fake_adapter.py", "main.go"]
    assert environment_of(known("fake")) == before
    (folder / "main.go").write_text("package main // changed")
    assert environment_of(known("fake")) != before


def test_a_missing_program_is_one_sentence(adapters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as Go."""
    path = adapters / "fake" / "known.toml"
    path.write_text(path.read_text().replace('"python"', '"go"'))
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(TargetUnusable, match=r"known:fake@1\.0 cannot be installed: go is not on PATH"):
        installed(known("fake"))


def test_a_cache_that_cannot_be_written_is_one_sentence(
    adapters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    with pytest.raises(TargetUnusable, match=r"known:fake@1\.0 cannot be installed into .*file/loopspec/known"):
        installed(known("fake"))


def test_the_served_adapter_sees_the_kit_and_its_environment_only(tmp_path: Path) -> None:
    """The program imports the named packages from their folders, and nothing from the settings of the user."""
    start = Path(environments.__file__).with_name("start.py")
    (tmp_path / "adapter").mkdir()
    (tmp_path / "named").mkdir()
    (tmp_path / "hidden.py").touch()
    kit = tmp_path / "loopspec"
    kit.mkdir()
    (kit / "__init__.py").touch()
    (kit / "__main__.py").write_text(
        "import importlib.util as u, os, sys\n"
        "from importlib.metadata import entry_points\n"
        "print(sys.argv[1:], os.path.basename(os.getcwd()), u.find_spec('named').origin, u.find_spec('hidden'))\n"
        "print(*(point.value for point in entry_points(group='loopspec.roles')))\n"
        "sys.exit(3)\n"
    )
    (tmp_path / "named" / "__init__.py").touch()
    metadata = tmp_path / "loopspec-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: loopspec\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[loopspec.roles]\nrole = named:ROLE\n")
    words = ["py:a:B", str(tmp_path / "adapter"), str(metadata), f"loopspec={kit}", f"named={tmp_path / 'named'}"]

    ran = subprocess.run(
        [sys.executable, "-I", str(start), *words],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 3, ran.stderr
    assert ran.stdout.split("] ")[0] == "['serve', 'py:a:B'"
    assert ran.stdout.split("] ")[1].split() == ["adapter", str(tmp_path / "named/__init__.py"), "None", "named:ROLE"]


@pytest.mark.parametrize(("name", "variable"), [("codex", "CODEX_FOLDER"), ("qwen-code", "QWEN_CODE_FOLDER")])
def test_the_adapter_looks_for_its_program_in_the_environment(name: str, variable: str, tmp_path: Path) -> None:
    """The Python of the caller serves the adapter, and npm has run in the folder of the program."""
    command = command_of(known(name), tmp_path)
    program = program_folder(known(name), tmp_path)

    assert shlex.split(command)[:3] == ["env", f"{variable}={program}", sys.executable]
    with pytest.raises(TargetUnusable, match=f"{program} has no node_modules/.*: run `npm install"):
        ProcessTarget(command)


def test_a_missing_package_of_an_adapter_has_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for the target of a known adapter, in the folder of the adapter."""
    one = known("deepagents-memory")
    monkeypatch.chdir(one.folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "deepagents", None)
    monkeypatch.delitem(sys.modules, "memory_adapter", raising=False)
    needs = "the module memory_adapter needs 'deepagents', which is not installed"

    with pytest.raises(TargetUnusable, match=f"^{needs}: `loopspec run known:deepagents-memory` installs what"):
        python_factory(one.declared.target)
    with pytest.raises(TargetUnusable, match=f"^{needs}$"):
        python_factory(f"{one.declared.target}Alone")
