"""What is in the wheel, and that it works from anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from loopspec.contract.specification import features_root

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_installs_no_generic_name(wheel: Path) -> None:
    """Everything is under our own four names."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "loopspec",
        "loopspec_mutants",
        "loopspec_reference",
        "loopspec_steps",
    }


def test_the_features_are_in_the_wheel(wheel: Path) -> None:
    """Every feature, the ledger and the example project travel as package data."""
    wanted = {
        f"loopspec/features/{path.relative_to(features_root())}"
        for path in features_root().rglob("*")
        if path.is_file()
    }

    with zipfile.ZipFile(wheel) as archive:
        missing = wanted - set(archive.namelist())

    assert missing == set()


def test_the_page_of_panels_is_in_the_wheel(wheel: Path) -> None:
    """What is no Python travels with the modules it belongs to."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("loopspec/panels/")}

    assert names == {f"loopspec/panels/{path.name}" for path in (ROOT / "conformance/loopspec/panels").glob("*.*")}


def test_the_installed_wheel_runs_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """The suite of the wheel judges the reference of the wheel, and nothing of the checkout is used."""
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site)}

    where = subprocess.run(
        [sys.executable, "-c", "import loopspec.contract.specification as s; print(s.features_root())"],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", "run", "reference", "--area", "AMD-CYCLE", "--area", "BACKEND"],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert where.stdout.strip() == str(site / "loopspec/features")
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "reference is conformant.")
    assert list(empty.iterdir()) == []


def test_an_editable_install_maps_no_generic_name(tmp_path: Path) -> None:
    """From an empty folder, the folders of the checkout are no packages; and the features are the checkout's own."""
    names = ["adapters", "conformance", "features", "reference", "steps", "tests", "registry", "bench"]
    code = f"from importlib.util import find_spec; print([n for n in {names!r} if find_spec(n)])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "[]"
    assert features_root() == ROOT / "features"


def test_importing_the_kit_is_cheap(tmp_path: Path) -> None:
    """`import loopspec` pulls in neither pytest nor the features."""
    code = (
        "import sys, loopspec; print(sorted({'pytest', 'gherkin', 'rich', 'pytest_bdd', 'asyncio'} & set(sys.modules)))"
    )

    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"
