"""The lines of Python of each room, against its budget: size is a cost that every reader pays."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from .repository import python, texts

LONGEST_FEATURE = 350
MOST_WEB_CODE = 500
WEB_CODE = re.compile(r"docs/loopspec_docs/.*\.(?:css|js|html)$")
MOST_OF_TEMPLATES = 1_190  # lines of Markdown, of which a third are blank
TEMPLATE = re.compile(r"docs/loopspec_docs/.*\.jinja$")
SLACK = 250  # a room that shrank by more has a lower limit from then on


class Room(NamedTuple):
    """The budget of a room, and the limit that holds until the room is within its budget."""

    budget: int
    limit: int | None = None


# To raise a number is a decision, with its reason in the commit.
ROOMS = {
    # With interrupts of hooks, processes of any run that die, empty texts, sentences for one name of a list, deferred
    # tools in a middleware, and calls that receive no answer.
    "steps": Room(7_000, 8_600),
    # With hooks that interrupt a run, messages that are sent to a run, and what becomes of them when the run stops.
    "reference": Room(5_900, 5_990),
    # With words that packages explain, the history of a dialect, interrupts of hooks, messages during runs, saved runs,
    # calls in several chunks, examples about folders that a tool does not search, errors with causes of their own, what
    # `explain` prints of a rule of lint and of check, wrappers that drop an answer, the number of selected cases.
    "conformance/loopspec": Room(23_000, 23_750),
    "conformance/lab": Room(6_000, 6_882),  # with hooks that interrupt, processes that die, late sub-agents, and chunks
    # Twelve formats take half of it. A walker with descriptions of parts is longer: tools join, replace or leave out
    # messages in a request, and few parts have no exception. The rest judges, and reads files that may be hostile.
    "conformance/check": Room(1_500, 1_982),
    "conformance/instructions": Room(6_500),
    "conformance/known": Room(1_100, 1_645),  # with the requirements that do not fit together, in the sentence
    "docs": Room(1_600),
    # With skills, touch, Claude Code, GitHub Copilot CLI, Continue CLI, Kilo and RepoContext, approvals, hooks that
    # interrupt three frameworks, middleware of Agent Framework in a module of its own, handlers that wrap some kinds of
    # tools only, the meaning of tags in `explain`, hooks that change what they received, and hooks of runs whose tools
    # say nothing; and the adapter of one more framework.
    "conformance": Room(51_500, 52_650),
    # The last 560: killed processes by the names of frameworks, a corpus for lint, and tools with records.
    "tools": Room(3_150, 4_385),
    # With random trees for each tool, the words, the quotations of the explanations, trees of touches, and a model
    # that makes them in four interfaces; an environment with one extra, in which the site is written; and sentences
    # for one name of a list; and a message that waits when a run stops twice.
    "tests": Room(45_000, 48_800),
    "tests/conformance/site": Room(1_200),
    "tests/mutants": Room(3_000),
    # With the programs that make its recordings, and with a history that is written in each format.
    "tests/check": Room(2_200, 2_260),
}
APART = {"tests": ("tests/mutants", "tests/check")}  # are not counted in the room
# Programs about others, which no reader of the kit reads. Tests limit their length.
ABOUT_OTHERS = re.compile(r"/witnesses/|^conformance/adapters/\w+/kills\w*\.py$")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_within_its_budget(room: str) -> None:
    """Or within the limit that is to fall to the budget, and is no more than a little above today's size."""
    budget, limit = ROOMS[room]
    lines = _lines(room) - sum(map(_lines, APART.get(room, ())))

    if limit is None:
        assert lines <= budget
    else:
        assert budget < limit
        assert limit - SLACK <= lines <= limit


def test_the_site_has_little_web_code() -> None:
    """A docs tool renders it: ours are the colors of pictures and tables, a filter, and what pages say."""
    for files, most in ((WEB_CODE, MOST_WEB_CODE), (TEMPLATE, MOST_OF_TEMPLATES)):
        lines = [len(text.splitlines()) for name, text in texts().items() if files.match(name)]
        assert 0 < sum(lines) <= most


def test_a_feature_is_short() -> None:
    """A reader keeps at most 350 lines in mind: a longer feature is about two topics."""
    features = {name: text for name, text in texts().items() if name.endswith(".feature")}

    assert features
    assert [name for name, text in features.items() if len(text.splitlines()) > LONGEST_FEATURE] == []


def _lines(folder: str) -> int:
    return sum(
        len(text.splitlines())
        for name, text in python().items()
        if name.startswith(f"{folder}/") and not ABOUT_OTHERS.search(name)
    )
