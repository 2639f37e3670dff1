"""The other target of every search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from loopspec.contract.target import Target
from loopspec.targets.resolve import resolve


@pytest.fixture(scope="module")
def reference() -> Iterator[Target]:
    """The reference, in this process."""
    with closing(resolve("reference")) as target:
        yield target
