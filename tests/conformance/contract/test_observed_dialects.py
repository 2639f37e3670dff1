"""Dialects as observed: a tool that does something else than its document says."""

from __future__ import annotations

import pytest

from loopspec.contract.axes import declared_dialect, must_be_dialect, value_on
from loopspec.contract.dialects import dialect, dialect_names, is_dialect, observed_dialect_names
from loopspec.contract.faults import TargetUnusable
from loopspec.specification.ledger import is_documented
from loopspec_instructions.dialects import reader_of


def test_a_target_declares_a_dialect_as_observed() -> None:
    postures = declared_dialect("qwen-code-observed")
    assert value_on("walk", postures) == "above-root"
    assert value_on("walk", declared_dialect("qwen-code")) == "project-root"
    assert value_on("selection", postures) == "every-name"  # the tool does what its document says


def test_an_observed_value_has_no_document() -> None:
    postures = declared_dialect("qwen-code-observed")
    assert not is_documented(["INS-WALK-02"], postures)
    assert is_documented(["INS-NAMES-13"], postures)


def test_only_a_tool_that_differs_from_its_document_is_observed() -> None:
    assert "codex-observed" in observed_dialect_names()
    assert not set(observed_dialect_names()) & set(dialect_names())
    assert not is_dialect("pi-observed")
    with pytest.raises(LookupError, match="there is no dialect 'pi-observed'"):
        dialect("pi-observed")
    with pytest.raises(TargetUnusable, match="the dialect 'pi-observed', which is none"):
        must_be_dialect("pi-observed", "a target")


@pytest.mark.parametrize("name", observed_dialect_names())
def test_the_reference_reads_the_observed_values(name: str) -> None:
    plain = name.removesuffix("-observed")
    assert reader_of(name) == reader_of(plain, observed=True)
    assert reader_of(name) != reader_of(plain)
