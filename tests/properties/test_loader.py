"""Loads of generated trees, compared with the model and with properties of any load."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

from hypothesis import event, given, settings
from hypothesis import strategies as st

from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import LoadWarning, load

from .model import Outcome, clean, predict, size
from .trees import Fault, Recorded, Tree, faulty, limited, trees


@st.composite
def cases(draw: st.DrawFn) -> Tree:
    """Trees, some with faults, some with a relevant limit."""
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
    except BaseException as error:  # a cancellation is no Exception
        seen.error = error
        seen.outcome.failed = backend.requests[-1].file_path
    seen.outcome.reads = [request.file_path for request in backend.requests]
    seen.outcome.warnings = [(warning.path, warning.reason) for warning in warnings]
    return seen


@settings(max_examples=4 * settings().max_examples)  # the most valuable property here
@given(cases())
def test_a_load_equals_the_model(tree: Tree) -> None:
    """Loaded files, reads, warnings and failure are those of the model, in order."""
    expected = predict(tree)
    for reason in {reason for _, reason in expected.warnings}:
        event(reason.name)
    event(f"failed: {tree.fault(expected.failed) if expected.failed else None}")
    event(f"limited: {tree.limit > 0}")

    assert loaded(tree).outcome == expected


@given(cases())
def test_no_file_is_read_twice_or_partly(tree: Tree) -> None:
    """Every path is normalized, read once, and read completely."""
    requests = loaded(tree).requests

    assert requests == [ReadRequest(clean(request.file_path)) for request in requests]
    assert max(Counter(request.file_path for request in requests).values()) == 1


@given(trees(), st.data())
def test_files_beyond_the_limit_belong_to_the_first_group(tree: Tree, data: st.DataObject) -> None:
    """The loaded files are within the limit, or all belong to the first configured file with content."""
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
def test_an_error_is_raised_unchanged(tree: Tree, fault: Fault, data: st.DataObject) -> None:
    """The error is the backend's, the last read is the failing one, and a note names the path."""
    path = data.draw(st.sampled_from(predict(tree).reads))
    seen = loaded(Tree(tree.files, tree.configured, {path: fault}))

    assert seen.error is seen.raised[-1]
    assert seen.requests[-1] == ReadRequest(path)
    notes = [] if fault is Fault.CANCELLED else getattr(seen.error, "__notes__", ["no note"])
    assert all(note.startswith(f"while loading {path!r}") for note in notes)
