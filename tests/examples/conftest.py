"""Fixtures for the examples."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .endpoint import Endpoint, serving


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """An endpoint without responses."""
    with serving() as served:
        yield served
