"""The place where an exception was raised is a line of its author, and neither Python's nor the kit's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from loopspec.contract import places
from loopspec.contract.axes import must_be_dialect
from loopspec.contract.places import file_name, located, place_of

HERE = "tests/conformance/contract/test_places.py"
KIT = Path(places.__file__).parents[1]


def raised(action: Callable[[], object]) -> Exception:
    """The exception that the action raises."""
    with pytest.raises(Exception) as error:  # noqa: PT011  # any
        action()
    return error.value


def in_file(file: str) -> Callable[[], object]:
    """An action that raises an exception in the second line of a file."""
    code = compile("\n1 / 0", file, "exec")
    return lambda: exec(code, {})


@pytest.mark.parametrize(
    "action", [lambda: json.loads("{"), lambda: must_be_dialect("quite another", "Mine")], ids=["python", "kit"]
)
def test_the_line_that_called_python_or_the_kit_is_named(action: Callable[[], object]) -> None:
    """An author knows their own line, and cannot correct another."""
    place = place_of(raised(action))

    assert place
    assert (place.file, place.function) == (HERE, "<lambda>")


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        (f"{Path(msgspec.__file__).parent}/made_up.py", "msgspec/made_up.py:2"),
        (f"{Path.cwd()}/made_up.py", "made_up.py:2"),
        (f"{KIT}/adapters/made_up/made_up.py", f"{file_name(str(KIT))}/adapters/made_up/made_up.py:2"),
    ],
    ids=["installed", "here", "shipped adapter"],
)
def test_another_line_is_named_by_the_path_of_its_module(file: str, shown: str) -> None:
    """A path from the folder that Python imports the module from is short, and enough to find it."""
    error = raised(in_file(file))

    assert str(place_of(error)) == shown
    assert located(error) == f"ZeroDivisionError: division by zero ({shown})"


def test_an_exception_without_such_a_line_has_no_place() -> None:
    """It was never raised, or by Python itself."""
    assert place_of(KeyError("a")) is None
    assert located(KeyError("a")) == "KeyError: 'a'"
