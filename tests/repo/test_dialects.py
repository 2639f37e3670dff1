"""Each dialect has a value with a basis for each of its axes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest

DIALECTS = sorted((Path(__file__).parents[2] / "features/dialects").glob("*.toml"))
BASES = {"documented", "measured", "unknown"}
KEYS = {*BASES, "observed", "link", "says", "files"}

Table = dict[str, Any]  # Any: TOML


@pytest.fixture(params=DIALECTS, ids=[path.stem for path in DIALECTS])
def dialect(request: pytest.FixtureRequest) -> Table:
    path: Path = request.param
    return tomllib.loads(path.read_text("utf-8"))


def test_a_dialect_names_its_tool_and_the_version_that_was_measured(dialect: Table) -> None:
    assert dialect["schema"] == 1
    assert dialect["title"]
    if dialect["judged"]:
        assert dialect["tool"]
        assert dialect["version"]


def test_all_dialects_have_the_same_axes(dialect: Table) -> None:
    first = tomllib.loads(DIALECTS[0].read_text("utf-8"))
    assert dialect["axes"].keys() == first["axes"].keys()


def test_an_axis_has_one_basis(dialect: Table) -> None:
    wrong = {name: axis for name, axis in dialect["axes"].items() if len(BASES & axis.keys()) != 1}
    assert not wrong
    assert not {key for axis in dialect["axes"].values() for key in axis} - KEYS


def test_a_documented_value_has_its_address_and_what_stands_there(dialect: Table) -> None:
    for name, axis in dialect["axes"].items():
        if "documented" not in axis:
            assert not {"link", "says", "observed"} & axis.keys(), name
            continue
        assert urldefrag(axis["link"]).url in dialect["documents"], name
        assert axis["says"].endswith("."), name
        assert axis.get("observed") != axis["documented"], name


def test_a_tool_that_is_not_judged_has_no_measured_value(dialect: Table) -> None:
    measured = [name for name, axis in dialect["axes"].items() if {"measured", "observed"} & axis.keys()]
    assert dialect["judged"] or not measured
