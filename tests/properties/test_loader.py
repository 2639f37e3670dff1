"""Loading generated trees, against the model and against what must hold of any load."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

from hypothesis import event, given, settings
from hypothesis import strategies as st

from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import LoadWarning, load

from .model import Outcome, clean, decoded, predict, reachable, size
from .trees import Fault, Recorded, Tree, faulty, limited, trees


@st.composite
def cases(draw: st.DrawFn) -> Tree:
    """Trees, some of them with faults, some of them with a limit that matters."""
    tree = draw(trees())
    if draw(st.booleans()):
        tree = draw(faulty(tree))
    if draw(st.booleans()):
        tree = draw(limited(tree, tuple(size(tree.content(path)) for path in predict(tree).reads)))
    return tree


@dataclass
class Loaded:
    """One load by the reference."""

    outcome: Outcome
    requests: list[ReadRequest]
    raised: list[BaseException]
    error: BaseException | None = None


def loaded(tree: Tree) -> Loaded:
    """Load the tree."""
    backend = Recorded(tree)
    warnings: list[LoadWarning] = []
    seen = Loaded(Outcome(), backend.requests, backend.raised)
    try:
        sections = asyncio.run(load(backend, tree.configured, tree.limit, warnings.append))
        seen.outcome.shown = [(section.path, section.text) for section in sections]
    except BaseException as error:  # a cancellation is none of the plain ones
        seen.error = error
        seen.outcome.failed = backend.requests[-1].file_path
    seen.outcome.reads = [request.file_path for request in backend.requests]
    seen.outcome.warnings = [(warning.path, warning.reason) for warning in warnings]
    return seen


@settings(max_examples=4 * settings().max_examples)  # of all tests here it has the most to find
@given(cases())
def test_a_load_does_what_the_rules_say(tree: Tree) -> None:
    """Files shown, reads, warnings and failure are those of the model, each in its order."""
    expected = predict(tree)
    for reason in {reason for _, reason in expected.warnings}:
        event(reason.name)
    event(f"failed: {tree.fault(expected.failed) if expected.failed else None}")
    event(f"limited: {tree.limit > 0}")

    assert loaded(tree).outcome == expected


@given(cases())
def test_nothing_is_read_twice_or_in_part(tree: Tree) -> None:
    """Every path is in normal form, asked for once, and whole."""
    requests = loaded(tree).requests

    assert requests == [ReadRequest(clean(request.file_path)) for request in requests]
    assert max(Counter(request.file_path for request in requests).values()) == 1


@given(cases())
def test_nothing_is_read_from_further_than_five_levels(tree: Tree) -> None:
    """Each path read is configured, or at most five imports away from one that is."""
    seen = loaded(tree)

    assert {request.file_path for request in seen.requests} <= reachable(tree, 5)


@given(cases())
def test_what_is_shown_is_what_is_stored(tree: Tree) -> None:
    """Each file shown was read, is not empty and not cut; its path is shown once, in the order of reading."""
    outcome = loaded(tree).outcome

    assert outcome.shown == [(path, decoded(tree.content(path))) for path, _ in outcome.shown]
    assert all(text for _, text in outcome.shown)
    shown = [path for path, _ in outcome.shown]
    assert shown == [path for path in outcome.reads if path in shown]


@given(cases())
def test_every_path_that_was_read_is_shown_or_empty_or_accounted_for(tree: Tree) -> None:
    """A load without limit that succeeds loses nothing: what is not shown is empty, or warned about."""
    outcome = loaded(Tree(tree.files, tree.configured, tree.faults)).outcome
    if outcome.failed:
        return

    lost = set(outcome.reads) - {path for path, _ in outcome.shown}
    warned = {path for path, _ in outcome.warnings}
    assert all(path in warned or (tree.fault(path) is None and not tree.content(path)) for path in lost)


@given(trees(), st.data())
def test_what_is_shown_beyond_the_limit_belongs_to_the_first_group(tree: Tree, data: st.DataObject) -> None:
    """All files shown keep to the limit, or they are what the first configured file with content brings by itself."""
    limit = data.draw(st.integers(1, 120))
    shown = loaded(Tree(tree.files, tree.configured, limit=limit)).outcome.shown
    alone = (
        loaded(Tree(tree.files, (path,), limit=limit)).outcome.shown
        for path in tree.configured
        if tree.content(clean(path))
    )

    within = sum(size(tree.content(path)) for path, _ in shown) <= limit
    assert within or shown == next(alone)


@given(trees(), st.sampled_from([fault for fault in Fault if not fault.means_missing]), st.data())
def test_an_error_comes_out_as_it_was_raised(tree: Tree, fault: Fault, data: st.DataObject) -> None:
    """The error is the very object the backend raised, the last read is the one that failed, and a note names it."""
    path = data.draw(st.sampled_from(predict(tree).reads))
    seen = loaded(Tree(tree.files, tree.configured, {path: fault}))

    assert seen.error is seen.raised[-1]
    assert seen.requests[-1] == ReadRequest(path)
    notes = [] if fault is Fault.CANCELLED else getattr(seen.error, "__notes__", ["no note"])
    assert all(note.startswith(f"while loading {path!r}") for note in notes)
