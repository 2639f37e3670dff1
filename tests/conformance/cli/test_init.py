"""`loopspec init` writes files once, and a CI job that names the source of loopspec in one place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import get_args

import pytest

from loopspec import __version__
from loopspec.contract.dialects import dialect_names
from loopspec.contract.values import ErrorKind
from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from .in_process import Loopspec

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

PY = ["loopspec_adapter.py", "loopspec-baseline.toml", "loopspec-ci.yml"]
GIT = {"url": "https://example.com/loopspec.git", "vcs_info": {"vcs": "git", "commit_id": "a1b2c3"}}
ARCHIVE = {"url": "https://example.com/loopspec-0.1.0.whl", "archive_info": {}}
CHECKOUT = {"url": "file:///home/me/loopspec", "dir_info": {"editable": True}}


@contextmanager
def installed_from(origin: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that loopspec is installed from an origin; None means a package index."""

    class Distribution:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return None if origin is None else json.dumps(origin)

    with monkeypatch.context() as patched:
        patched.setattr(metadata, "distribution", lambda name: Distribution())
        yield


def job(folder: Path) -> list[str]:
    """The lines of the CI job."""
    return (folder / "loopspec-ci.yml").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", [".", "there", "new/and/deep"])
def test_init_writes_into_the_named_folder(
    name: str, here: Path, loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing folder is created; the last line prints the next command."""
    (here / "there").mkdir()

    with installed_from(None, monkeypatch):
        ended = loopspec("init", "py", name)

    run = "loopspec run py:loopspec_adapter:Adapter --baseline loopspec-baseline.toml"
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        *(f"wrote {Path(name) / file}" for file in PY),
        f"now: {run}" if name == "." else f"now: cd {name} && {run}",
    ]
    assert set(PY) <= {path.name for path in (here / name).iterdir()}


def test_nothing_is_written_if_a_file_exists(here: Path, loopspec: Loopspec) -> None:
    """All files are written, or none."""
    (here / "mine").mkdir()
    (here / "mine/loopspec-ci.yml").write_text("mine\n", encoding="utf-8")

    ended = loopspec("init", "go", "mine")

    assert (ended.code, ended.err) == (2, "loopspec: mine/loopspec-ci.yml exists already: nothing was written\n")
    assert [path.name for path in (here / "mine").iterdir()] == ["loopspec-ci.yml"]


@pytest.mark.parametrize("language", ["py", "go", "node"])
@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, f"loopspec=={__version__}"),
        (GIT, "loopspec @ git+https://example.com/loopspec.git@a1b2c3"),
        (ARCHIVE, "loopspec @ https://example.com/loopspec-0.1.0.whl"),
        (CHECKOUT, ""),
    ],
    ids=["an index", "a repository", "an archive", "a checkout"],
)
def test_the_ci_job_names_its_source_once(
    language: str, origin: object, requirement: str, here: Path, loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job installs loopspec from its origin if other machines can reach it; otherwise the value is left empty."""
    with installed_from(origin, monkeypatch):
        ended = loopspec("init", language, "job")

    lines = job(here / "job")
    (at,) = (n for n, line in enumerate(lines) if line == f'    LOOPSPEC: "{requirement}"')
    assert lines[at - 3] == "  env:"
    assert all(line.startswith("    # ") for line in lines[at - 2 : at])
    assert "not on a package index yet" in lines[at - 2]
    (install,) = (line for line in lines if "pip install " in line)
    assert install.startswith('    - run: python -m pip install "${LOOPSPEC:?')
    assert ": " not in install.partition("run: ")[2]  # `: ` would start another mapping
    asked_for = f"for CI: name in {Path('job/loopspec-ci.yml')}, at LOOPSPEC, where pip installs loopspec from"
    assert (asked_for in ended.out.splitlines()) is (requirement == "")


def test_a_loopspec_that_is_not_installed_names_no_source(
    here: Path, loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loopspec that is only on the path has no origin."""

    def missing(name: str) -> object:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)

    assert loopspec("init", "py", "job").code == 0
    assert '    LOOPSPEC: ""' in job(here / "job")


def test_the_python_template_passes(here: Path, loopspec: Loopspec) -> None:
    """The adapter passes every case of its role and capabilities, and shows where to map exceptions to error kinds."""
    assert loopspec("init", "py").code == 0
    text = (here / "loopspec_adapter.py").read_text(encoding="utf-8")

    target = resolve("py:loopspec_adapter:Adapter")
    verdicts = {judge(case, target).verdict for case in compiled() if "backend" in case.roles}
    target.close()

    assert verdicts == {"passed", "inapplicable"}
    assert "    error_kinds: dict[type[Exception], str] = {}\n" in text
    named = {kind for kind in get_args(ErrorKind) if kind in text}
    assert {"not_exist", "permission", "directory", "io", "max_iterations", "unknown_tool", "other"} <= named


@pytest.mark.parametrize(
    ("role", "least"),
    [
        ("agent", {"passed": 120, "failed": 1, "inapplicable": 1}),
        ("backend", {"passed": 150, "inapplicable": 1}),
        ("workspace", {"passed": 30, "failed": 10, "inapplicable": 1}),
    ],
)
def test_the_template_of_a_role_is_judged_and_not_errored(
    role: str, least: dict[str, int], here: Path, loopspec: Loopspec
) -> None:
    """The small store passes each case that applies; the toy loop and the small reader fail some."""
    ended = loopspec("init", "py", "--role", role)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == f"wrote loopspec_{role}.py"
    assert ended.out.splitlines()[-1].startswith(f"now: loopspec run py:loopspec_{role}:Adapter ")
    assert f"loopspec run py:loopspec_{role}:Adapter " in (here / "loopspec-ci.yml").read_text(encoding="utf-8")
    target = resolve(f"py:loopspec_{role}:Adapter")
    verdicts = Counter(judge(case, target).verdict for case in compiled() if role in case.roles)
    target.close()
    assert verdicts.keys() == least.keys()
    assert verdicts >= Counter(least)


@pytest.mark.parametrize("name", dialect_names())
def test_the_workspace_template_is_judged_in_every_dialect(name: str, here: Path, loopspec: Loopspec) -> None:
    """The name of the dialect is all that an author changes."""
    loopspec("init", "py", "--role", "workspace")

    target = resolve(f"py:loopspec_workspace:Adapter as {name}")
    cases = [case for case in compiled() if "workspace" in case.roles]
    verdicts = {judge(case, target).verdict for case in cases[::4]}
    target.close()

    assert verdicts & {"passed", "failed"}
    assert verdicts <= {"passed", "failed", "inapplicable"}


@pytest.mark.parametrize("language", ["go", "node"])
@pytest.mark.parametrize(
    ("role", "instead"),
    [
        ("workspace", "serve the method workspace/read of the protocol, which `loopspec protocol --page` explains"),
        ("backend", "`--role agent` writes a kit that also serves stores, and the kit's README has an adapter of one"),
    ],
)
def test_a_role_without_a_template_says_what_to_do(
    role: str, instead: str, language: str, here: Path, loopspec: Loopspec
) -> None:
    """Nothing is written, and the other way exists."""
    ended = loopspec("init", language, "--role", role)

    assert (ended.code, ended.err) == (
        2,
        f"loopspec: there is no template in {language} for the role {role}: {instead}\n",
    )
    assert list(here.glob("loopspec*")) == []

    loopspec("init", language, "--role", "agent")
    (readme,) = here.rglob("README.md")
    assert "A store" in readme.read_text(encoding="utf-8")
    assert "workspace/read" in loopspec("protocol", "--page").out


@pytest.mark.parametrize("language", ["py", "go", "node"])
def test_the_loop_of_the_agent_is_a_placeholder(language: str, here: Path, loopspec: Loopspec) -> None:
    """The untouched adapter fails some rules, which says that the fault is not the installation."""
    ended = loopspec("init", language, "--role", "agent")

    assert "the loop is a placeholder: some rules fail until you replace it" in ended.out.splitlines()


def test_the_doctor_accepts_the_python_template(here: Path, loopspec: Loopspec) -> None:
    """The doctor accepts the template unchanged."""
    loopspec("init", "py")

    ended = loopspec("doctor", "py:loopspec_adapter:Adapter")

    assert (ended.code, ended.out.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")
