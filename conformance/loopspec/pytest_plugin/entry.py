"""The pytest plugin: options, and nothing else until a target is named or a suite module is imported.

It is loaded in every pytest run of whoever has loopspec installed, so it imports nothing that costs time.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .distributed.folder import KEY, ORDER

if TYPE_CHECKING:
    from .session import Session

SESSION = "loopspec-session"

# The runs under way, the innermost last: `loopspec run` may be called by a test.
_configs: list[pytest.Config] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `loopspec run`, under their long names."""
    group = parser.getgroup("loopspec", "loopspec: an executable specification of an agent loop")
    group.addoption("--loopspec-target", metavar="TARGET", help="judge this: reference, or py:package.module:factory")
    group.addoption("--loopspec-role", metavar="ROLE", help="judge it in this role only")
    for name in ("rule", "area", "case", "deselect"):
        what = "leave out these rules or cases" if name == "deselect" else f"judge only these {name}s"
        group.addoption(f"--loopspec-{name}", action="append", default=[], metavar="GLOB", help=what)
    group.addoption("--loopspec-baseline", metavar="FILE", help="failures that are known (TOML)")
    group.addoption("--loopspec-report", metavar="FILE", help="write the report (JSON lines)")
    group.addoption("--loopspec-strict", action="store_true", help="clarified rules decide, too")
    group.addoption("--loopspec-seed", type=int, default=0, metavar="N", help="shuffle the cases")
    group.addoption("--loopspec-shard", metavar="I/N", help="judge the I-th of N parts of the cases")
    group.addoption("--loopspec-timeout", type=float, default=10.0, metavar="SECONDS", help="deadline of one case")


def pytest_configure(config: pytest.Config) -> None:
    """Remember the run; with a target, get to work."""
    _configs.append(config)
    if config.getoption("dist", "no") != "no" and config.getoption("tx") and not config.option.collectonly:
        from .distributed.controller import CONTROLLER, Controller  # only now: see above

        config.pluginmanager.register(Controller(config), CONTROLLER)
    elif ORDER in getattr(config, "workerinput", ()):
        activate()  # at once: what was ordered may be refused
    if config.getoption("--loopspec-target"):
        activate()
        suite = Path(__file__).parents[1] / "suite"
        if config.args_source is not pytest.Config.ArgsSource.ARGS and not any(
            _contains(Path(arg.partition("::")[0]), suite) for arg in config.args
        ):
            config.args.append(str(suite))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Forget the run."""
    _configs.remove(config)


def _contains(folder: Path, suite: Path) -> bool:
    inside, outside = os.path.realpath(suite), os.path.realpath(folder)
    return inside == outside or inside.startswith(outside + os.sep) or outside.startswith(inside + os.sep)


def activate() -> None:
    """Register what does the work. Called by the suite modules when they are imported."""
    session()


def session() -> Session:
    """What does the work, registered when it is first asked for."""
    if not _configs:
        raise RuntimeError("loopspec.suite can only be imported by pytest")
    config = _configs[-1]
    registered = config.pluginmanager.get_plugin(SESSION)
    if registered is None:
        if KEY in getattr(config, "workerinput", ()):
            from .distributed.worker import join  # only now: see above

            registered = join(config)
        else:
            from .session import Session

            registered = Session(config)
        config.pluginmanager.register(registered, SESSION)
    return registered
