"""Each adapter of an agent says why it does not declare a capability."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from loopspec.contract.capabilities import capabilities_of_role
from loopspec.contract.faults import SuiteError
from loopspec_known.declarations import Known, known_targets, undeclared

AGENTS = {name: one for name, one in known_targets().items() if "agent" in one.declared.roles}


@pytest.mark.parametrize("one", AGENTS.values(), ids=AGENTS)
def test_each_reason_has_a_link_and_is_given_once(one: Known) -> None:
    """The link leads to the source or to the documents of the framework."""
    reasons = undeclared(one.folder)

    assert reasons
    for reason in reasons:
        assert re.match(r"https://\S+$", reason.link)
        assert reason.reason[0] not in " ."
        assert len(reason.reason) > 8  # at least: not tried
        assert not reason.reason.endswith(".")
        assert set(reason.capabilities) <= set(capabilities_of_role("agent"))
    counts = Counter(name for reason in reasons for name in reason.capabilities)
    assert [name for name, count in counts.items() if count > 1] == []


def test_only_adapters_of_agents_have_reasons() -> None:
    """A loader and a backend have no capability of the loop."""
    others = {one.folder for name, one in known_targets().items() if name not in AGENTS}

    assert [folder for folder in others if undeclared(folder) is not None] == []


def test_an_invalid_file_is_named(tmp_path: Path) -> None:
    """With a capability that nothing knows."""
    (tmp_path / "undeclared.toml").write_text(
        '[[undeclared]]\ncapabilities = ["flying"]\nreason = "no wings"\nlink = "https://example.org"\n'
    )

    with pytest.raises(SuiteError, match=r"undeclared\.toml cannot be read: .*flying"):
        undeclared(tmp_path)
