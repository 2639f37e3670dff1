"""Each external implementation is judged once per session; its tests share the result."""

from __future__ import annotations

import pytest

from .frameworks import Frameworks, Missing
from .judged import Judged


@pytest.fixture(scope="session")
def frameworks(do_without: Missing, tmp_path_factory: pytest.TempPathFactory) -> Frameworks:
    """The agent frameworks."""
    return Frameworks(do_without, tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="session")
def langchain(frameworks: Frameworks) -> Judged:
    """LangChain on LangGraph."""
    return frameworks.judged("langchain")


@pytest.fixture(scope="session")
def eino(frameworks: Frameworks) -> Judged:
    """Eino."""
    return frameworks.judged("eino")
