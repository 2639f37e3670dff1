"""The error classes."""

from __future__ import annotations

import pytest

from loopspec_reference import ConfigError, IterationLimitError, LoopError, OutsideRunError, UnknownToolError


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ConfigError, ValueError),
        (OutsideRunError, RuntimeError),
        (UnknownToolError, LookupError),
        (IterationLimitError, LoopError),
    ],
)
def test_each_error_is_one_of_the_package_and_a_builtin_one(error: type[LoopError], builtin: type[Exception]) -> None:
    """Callers may catch the package's class or the built-in one."""
    assert issubclass(error, LoopError)
    assert issubclass(error, builtin)
