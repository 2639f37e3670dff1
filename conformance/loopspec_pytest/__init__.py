"""The entry point of the pytest plugin: its options, until a target is named or a suite module is imported.

pytest loads it in every run in an environment with loopspec, so it imports neither loopspec nor pytest-bdd, which
`loopspec[pytest]` installs.
"""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

# The current pytest runs, the innermost last: a test may run pytest itself.
configs: list[pytest.Config] = []

ADVISORY = "advisory, so it counts with `strict = True` only: "  # begins the reason of an expected failure
_RULES = 5  # that the summary names
_OLDEST = 9  # the first major version of pytest that the plugin works with


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `loopspec run`, under their long names."""
    group = parser.getgroup("loopspec", "loopspec: an executable specification of an agent loop")
    group.addoption(
        "--loopspec-target",
        metavar="TARGET",
        help="judge this: reference, py:package.module:factory, cmd:command line, known:name",
    )
    group.addoption("--loopspec-role", metavar="ROLE", help="judge it in this role only")
    for name in ("rule", "area", "case", "deselect"):
        what = "skip these rules or cases" if name == "deselect" else f"judge only these {name}s"
        group.addoption(f"--loopspec-{name}", action="append", default=[], metavar="GLOB", help=what)
    group.addoption("--loopspec-baseline", metavar="FILE", help="failures that are known (TOML)")
    group.addoption("--loopspec-report", metavar="FILE", help="write the report (JSON lines)")
    group.addoption("--loopspec-strict", action="store_true", help="advisory rules count, too")
    group.addoption("--loopspec-soak", action="store_true", help="judge in full what takes long, such as 1,000 reads")
    group.addoption("--loopspec-seed", type=int, default=0, metavar="N", help="shuffle the cases")
    group.addoption("--loopspec-shard", metavar="I/N", help="judge the I-th of N parts of the cases")
    group.addoption("--loopspec-timeout", type=float, default=10.0, metavar="SECONDS", help="deadline of one case")


def pytest_configure(config: pytest.Config) -> None:
    """Record the run; with a target, add the suite to the run."""
    configs.append(config)
    distributes = config.getoption("dist", "no") != "no" and config.getoption("tx", None)
    if distributes and any(config.getoption(f"--loopspec-{name}") for name in ("target", "report")):
        import pytest

        raise pytest.UsageError(
            "loopspec: pytest-xdist divides the run, and --loopspec-target and --loopspec-report are about a whole "
            "one: judge in several processes with `loopspec run TARGET -n N`, or leave out pytest's -n"
        )
    if config.getoption("--loopspec-target"):
        must_have_extra()
        from loopspec.pytest_plugin import activate

        activate(config)
        suite = Path(__file__).parents[1] / "loopspec" / "suite"
        if config.args_source is not type(config).ArgsSource.ARGS and not any(
            _contains(Path(arg.partition("::")[0]), suite) for arg in config.args
        ):
            config.args.append(str(suite))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the run."""
    if config in configs:
        configs.remove(config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the advisory rules that fail in test classes of ours: pytest itself prints only an x for each test."""
    failed = [one for one in terminalreporter.stats.get("xfailed", ()) if ADVISORY in getattr(one, "wasxfail", "")]
    if not failed:
        return
    found = {rule[1]: None for one in failed if (rule := re.search(r"\[([A-Z-]+-\d+) ::", one.nodeid))}
    rules = ", ".join([*found][:_RULES]) + f" and {len(found) - _RULES} more" * (len(found) > _RULES)
    terminalreporter.write_line(
        f"loopspec: advisory rules fail{f' ({rules})' if rules else ''}. Their failures are expected unless the class "
        "has strict = True; -rx prints what differs.",
        yellow=True,
    )


def must_have_extra() -> None:
    """Raise `pytest.UsageError` if the packages of `loopspec[pytest]` are missing or too old."""
    import pytest

    if find_spec("pytest_bdd") is None or int(pytest.version_tuple[0]) < _OLDEST:
        raise pytest.UsageError(
            f"loopspec: judging with pytest needs pytest {_OLDEST} and pytest-bdd: pip install 'loopspec[pytest]', or "
            "judge with `loopspec run`"
        )


def _contains(folder: Path, suite: Path) -> bool:
    inside, outside = os.path.realpath(suite), os.path.realpath(folder)
    return inside == outside or inside.startswith(outside + os.sep) or outside.startswith(inside + os.sep)
