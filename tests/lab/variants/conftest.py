"""The reference in each dialect, for the tests of variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache

import pytest

from loopspec.contract.target import Target
from loopspec.specification.cases import Case
from loopspec.targets.resolve import resolve

from ...conformance.staging import dialects_for


@pytest.fixture(scope="module")
def target_for() -> Iterator[Callable[[Case], Target | None]]:
    """The reference in a dialect that has the values of a case; None if no dialect has them all."""
    with ExitStack() as stack:

        @cache
        def reading(name: str) -> Target:
            return stack.enter_context(closing(resolve(f"reference as {name}")))

        yield lambda case: reading(names[0]) if (names := dialects_for(case)) else None
