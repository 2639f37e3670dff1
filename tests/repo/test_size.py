"""The lines of Python of each room, against its budget: size is a cost that every reader pays."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from .repository import python, texts

LONGEST_FEATURE = 350
SLACK = 250  # a room that shrank by more has a lower limit from then on


class Room(NamedTuple):
    """The budget of a room, and the limit that holds until the room is within its budget."""

    budget: int
    limit: int | None = None


# To raise a number is a decision, with its reason in the commit.
ROOMS = {
    "steps": Room(7_000, 8_350),
    "reference": Room(5_300),
    "conformance/loopspec": Room(23_000, 23_600),
    "conformance/lab": Room(6_000, 8_100),
    "conformance/instructions": Room(6_500),
    "conformance/known": Room(1_100),
    "docs": Room(1_600, 4_200),
    "conformance": Room(50_000),
    "tools": Room(3_150, 3_750),
    "tests": Room(45_000, 45_650),
    "tests/mutants": Room(3_000),
}
APART = {"tests": "tests/mutants"}  # is not counted in the room


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_within_its_budget(room: str) -> None:
    """Or within the limit that is to fall to the budget, and is no more than a little above today's size."""
    budget, limit = ROOMS[room]
    lines = _lines(room) - (_lines(APART[room]) if room in APART else 0)

    if limit is None:
        assert lines <= budget
    else:
        assert budget < limit
        assert limit - SLACK <= lines <= limit


def test_a_feature_is_short() -> None:
    """A reader keeps at most 350 lines in mind: a longer feature is about two topics."""
    features = {name: text for name, text in texts().items() if name.endswith(".feature")}

    assert features
    assert [name for name, text in features.items() if len(text.splitlines()) > LONGEST_FEATURE] == []


def _lines(folder: str) -> int:
    return sum(len(text.splitlines()) for name, text in python().items() if name.startswith(f"{folder}/"))
