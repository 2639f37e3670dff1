"""The contents of the wheel, and its use from any folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from email import message_from_bytes
from importlib.metadata import distribution as distribution_of
from importlib.metadata import metadata as metadata_of
from pathlib import Path

import msgspec
import pytest
from packaging.requirements import Requirement

from loopspec.contract.specification import adapters_root, features_root
from loopspec.specification.features import sources
from loopspec.specification.store import make
from loopspec_known.declarations import FILE, known_targets
from loopspec_known.results import in_results
from loopspec_known.witnesses import witnesses

from .test_imports import PRODUCTS

ROOT = Path(__file__).parents[2]
SHIPPED = tuple(sorted(PRODUCTS - {"loopspec_mutants"}))  # mutants stand with the tests


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without an installed loopspec, as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"import sys; sys.path.append({str(_without_loopspec(tmp_path_factory.mktemp('others')))!r})\n"
    build += "from hatchling.cli import hatchling; sys.exit(hatchling())"
    command = [sys.executable, "-I", "-S", "-c", build, "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def _without_loopspec(folder: Path) -> Path:
    """Fill a folder with all that is installed, apart from loopspec and the links to this checkout."""
    for installed in Path(sysconfig.get_path("purelib")).iterdir():
        if "loopspec" not in installed.name:
            (folder / installed.name).symlink_to(installed)
    return folder


@pytest.fixture(scope="module")
def shipped(wheel: Path) -> dict[str, bytes]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages as an installation has them."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_installs_no_generic_name(shipped: dict[str, bytes]) -> None:
    """All top-level names are ours."""
    ours = {"loopspec", "loopspec_pytest", "loopspec_reference", "loopspec_reference_adapter", "loopspec_steps"}

    assert {top for name in shipped if not (top := name.partition("/")[0]).endswith(".dist-info")} == {*ours, *SHIPPED}


_APART = {"__pycache__", "loopspec_adapting"}  # the kit for Python is a package of its own


@pytest.mark.parametrize(
    ("folder", "place", "example"),
    [
        ("features", "features", "ledger.toml"),
        ("examples", "examples", "README.md"),  # the site shows them
        ("conformance/kits", "kits", "node/kit/index.mjs"),  # `loopspec init --role agent` copies a kit
        ("conformance/loopspec", "", "py.typed"),  # templates, styles and scripts, next to their modules
    ],
)
def test_every_file_of_a_folder_is_in_the_wheel(
    folder: str, place: str, example: str, shipped: dict[str, bytes]
) -> None:
    """And nothing else is in its place."""
    paths = (path for path in (ROOT / folder).rglob("*") if path.is_file() and not _APART & {*path.parts})
    wanted = {Path("loopspec", place, path.relative_to(ROOT / folder)).as_posix() for path in paths}

    assert f"loopspec/{place}/{example}".replace("//", "/") in wanted
    assert wanted - shipped.keys() == set()
    assert not place or {name for name in shipped if name.startswith(f"loopspec/{place}/")} == wanted


def test_the_adapters_are_in_the_wheel(shipped: dict[str, bytes]) -> None:
    """Each adapter ships with its baselines, its pins, its witnesses and its summaries.

    Lock files and build results do not ship.
    """
    texts = {name: text.decode() for name, text in shipped.items() if name.startswith("loopspec/adapters/")}

    for one in known_targets().values():
        folder = f"loopspec/adapters/{one.folder.name}"
        assert {f"{folder}/{FILE}", f"{folder}/{one.declared.baseline}", f"{folder}/README.md"} <= {*texts}
    programs = {str(one.path.relative_to(adapters_root())) for target in in_results() for one in witnesses(target)}
    assert {f"loopspec/adapters/{name}" for name in programs} <= {*texts}
    code = {"eino/main.go", "gemini_cli/loader.mjs", "eino/go.mod"}
    assert {f"loopspec/adapters/{name}" for name in code} <= {*texts}
    assert [name for name in texts if re.search(r"go\.sum|lock|\.pyc$|/(build|node_modules|__pycache__)/", name)] == []
    assert [name for name, text in texts.items() if re.search(r"pypi\.org|registry\.npmjs|proxy\.golang", text)] == []


def test_the_features_are_compiled_in_the_wheel(shipped: dict[str, bytes]) -> None:
    """The store is that of the current features and code, with the roles of all products: a start compiles nothing."""
    texts, ledgers = sources(features_root())

    assert shipped["loopspec/compiled.json"] == make(texts, ledgers)


def test_the_installed_wheel_runs_from_an_empty_folder(unpacked: Path, tmp_path: Path) -> None:
    """The wheel's suite judges the wheel's reference without using the checkout."""
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code = """
import loopspec.contract.specification
from loopspec.cli import main
print(loopspec.contract.specification.features_root())
print(main(["selftest"]))
raise SystemExit(main(["run", "reference", "--area", "AMD-CYCLE", "--area", "BACKEND"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=empty, env=environment, capture_output=True, text=True, check=False
    )

    where, tested, *_, last = ran.stdout.splitlines()
    assert (where, tested) == (str(unpacked / "loopspec/features"), "2")
    assert ran.stderr.startswith("loopspec: the mutants are not installed, since they stand with the tests of loopspec")
    assert ran.returncode == 0
    assert last.startswith("reference is conformant in ")
    assert list(empty.iterdir()) == []
    assert list((tmp_path / "cache/loopspec").glob("compiled-*")) == []


# The dependencies without the checkout: an editable install is a `.pth` file, which `-S` does not read.
WITHOUT_CHECKOUT = """
import sys
sys.path[:0], sys.path[len(sys.path):] = [{site!r}], [{libraries!r}]
from loopspec.cli import main
sys.exit(main({command!r}))
"""


@pytest.mark.parametrize(
    "removed", [SHIPPED, *(pytest.param((name,), marks=pytest.mark.long) for name in SHIPPED)], ids=",".join
)
def test_the_kit_runs_without_its_products(removed: tuple[str, ...], wheel: Path, tmp_path: Path) -> None:
    """Each product, and all of them, can be removed from an installation: the other commands work."""
    site, libraries = tmp_path / "site", str(Path(msgspec.__file__).parents[1])
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site, [name for name in archive.namelist() if not name.startswith(removed)])

    def called(*command: str) -> subprocess.CompletedProcess[str]:
        code = WITHOUT_CHECKOUT.format(site=str(site), libraries=libraries, command=[*command])
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return subprocess.run(
            [sys.executable, "-S", "-c", code],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    ran = called("run", "reference", "--area", "AMD-CYCLE", "--area", "BACKEND", "--report=r.jsonl")
    helped, listed = called("help"), called("list", "LOOP")
    variants = called("run", "reference", "--area", "AMD-CYCLE", "--variants", "all")

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1].startswith("reference is conformant in ")
    assert [each.returncode for each in (helped, listed, called("report", "r.jsonl", "--markdown"))] == [0, 0, 0]
    lacks = "loopspec_lab" in removed
    assert (variants.returncode, "there are no variants" in variants.stderr) == ((2, True) if lacks else (0, False))
    for command, product in (("lint", "loopspec_instructions"), ("known", "loopspec_known"), ("docs", "loopspec_docs")):
        assert (f"\n  {command} " in helped.stdout) == (product not in removed)


# Prints the digest of each source of the site; without mutants, which no wheel has, if a word asks for it.
SOURCES = """
import sys
from loopspec.contract import specification
from loopspec.specification.store import text_digest
if sys.argv[1:]:
    specification.mutants = lambda: None
from loopspec_docs.site.site import sources
for name, text in sorted(sources().items()):
    print(name, text_digest(text.encode()))
"""


@pytest.mark.long
def test_the_installed_wheel_has_the_same_site(unpacked: Path, tmp_path: Path) -> None:
    """Course, guide, results, names, pictures and examples travel with the wheel, but no mutants.

    The site is the same in every process, whatever the order of its sets.
    """

    def made(seed: str, *words: str, **more: str) -> list[str]:
        environment = os.environ | more | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SOURCES, *words]
        ran = subprocess.run(command, cwd=empty, env=environment, check=True, capture_output=True, text=True)
        return ran.stdout.splitlines()

    empty = tmp_path / "empty"
    empty.mkdir()
    whole, shipped = made("1"), made("1", "without")

    assert any(line.startswith("docs/mutants/") for line in whole)
    assert not any(line.startswith("docs/mutants/") for line in shipped)
    assert made("2") == whole
    assert made("2", PYTHONPATH=str(unpacked)) == shipped
    assert list(empty.iterdir()) == []


@pytest.mark.long
def test_the_site_needs_its_extra_alone(wheel: Path, tmp_path: Path) -> None:
    """`pip install '.[docs]'` and `loopspec docs`, as README has them, without what else a checkout installs."""
    python = _environment_of(wheel, "docs", tmp_path / "environment")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    def ran(*command: str) -> subprocess.CompletedProcess[str]:
        call = [str(python), *command]
        return subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    other, made = ran("-c", "import hypothesis"), ran("-m", "loopspec", "docs", "site")

    assert (made.returncode, made.stderr) == (0, "")
    assert "loopspec.testing" in (tmp_path / "site/api.html").read_text(encoding="utf-8")
    assert "No module named 'hypothesis'" in other.stderr


def _environment_of(wheel: Path, extra: str, folder: Path) -> Path:
    """Make an environment with the wheel and what it needs with an extra, from what is installed here: its Python."""
    venv.create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        asked = [(extra, message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", []))]
    found: set[str] = set()
    while asked:
        wanted, lines = asked.pop()
        for needed in map(Requirement, lines):
            if needed.marker and not needed.marker.evaluate({"extra": wanted}):
                continue
            if needed.name == "loopspec":
                asked += [(name, lines) for name in needed.extras]
            elif needed.name not in found:
                found.add(needed.name)
                asked.append(("", metadata_of(needed.name).get_all("Requires-Dist") or []))
    for distribution in map(distribution_of, found):
        for name in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (site / name).symlink_to(str(distribution.locate_file(name)))
    return folder / "bin" / "python"


def test_an_editable_install_maps_no_generic_name(tmp_path: Path) -> None:
    """In an empty folder, the folders of the checkout are no packages, and the features are those of the checkout."""
    names = ["adapters", "conformance", "features", "reference", "steps", "tests", "tools", "examples", "registry"]
    code = f"from importlib.util import find_spec; print([n for n in {names!r} if find_spec(n)])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "[]"
    assert features_root() == ROOT / "features"


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("loopspec", {"pytest", "gherkin", "parse", "rich", "pytest_bdd", "asyncio", "loopspec_steps"}),
        ("loopspec_pytest", {"pytest", "loopspec", "msgspec", "pytest_bdd"}),
        (", ".join(f"loopspec.cli.commands.{name}" for name in ("run", "listing", "explain", "report")), {"jinja2"}),
        (
            "loopspec.cli",
            {"pytest", "gherkin", "parse", "rich", "pytest_bdd", "asyncio", "loopspec_steps", "jinja2", "hypothesis"},
        ),
    ],
)
def test_importing_is_cheap(module: str, others: set[str], tmp_path: Path) -> None:
    """Packages that every user loads import no optional library."""
    code = f"import sys, {module}; print(sorted({others!r} & set(sys.modules)))"

    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


def test_pytest_is_an_extra() -> None:
    """A user of the command line needs neither pytest nor pytest-bdd."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = {line.partition(">")[0] for line in project["dependencies"]}
    extra = {line.partition(">")[0] for line in project["optional-dependencies"]["pytest"]}

    assert core == {"gherkin-official", "jinja2", "markdown-it-py", "msgspec", "parse", "rich"}
    assert extra == {"pytest", "pytest-bdd"}


def test_without_the_extra_the_plugin_says_what_is_missing(tmp_path: Path) -> None:
    """The plugin reports a usage error if a target is named; other runs are not affected."""
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")
    (tmp_path / "pytest_bdd.py").write_text("raise ImportError('not installed')\n", encoding="utf-8")
    hide = (
        "import importlib.util as util; found = util.find_spec; "
        "util.find_spec = lambda name, package=None: None if name == 'pytest_bdd' else found(name, package)"
    )
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def ran(*options: str) -> subprocess.CompletedProcess[str]:
        code = f"{hide}; import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))"
        command = [sys.executable, "-c", code, "-p", "loopspec_pytest", "-p", "no:cacheprovider", "-q", *options]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    asked, other = ran("--loopspec-target=reference"), ran()

    assert other.returncode == 0
    assert asked.returncode == pytest.ExitCode.USAGE_ERROR
    assert "pip install 'loopspec[pytest]', or judge with `loopspec run`" in asked.stderr
