"""The served reference and the reference in this process give the same Observation in every case."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from loopspec.contract.axes import declared_dialect
from loopspec.contract.dialects import DEFAULT_DIALECT
from loopspec.contract.scene import Ask, BackendStep, Meanwhile
from loopspec.contract.target import Target
from loopspec.engine.checking import look
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.sources import cases_in
from loopspec.targets.resolve import resolve

from ..sources import by_source
from ..staging import role_of


def in_any_order(step: BackendStep) -> bool:
    """Whether the answers of a step differ in each run: reads during a change, or concurrent reads of other ranges."""
    if isinstance(step, Ask):
        return len({request.file_path for request in step.requests}) < len(set(step.requests))
    return isinstance(step, Meanwhile)


# Most examples are synchronous runs: the variant has each of them as a streaming run.
CASES = [
    each
    for case in compiled()
    if case.roles != ("workspace",)  # judged in each dialect by the tests of served workspaces
    if "cancel-read" not in case.needs  # no request cancels a read
    if not any(in_any_order(step) for step in case.scene.backend)
    for each in (case, *(cases_in(case, ["streaming"]) if case.basis != "declared" else ()))
]
BATCHES = 12  # the first one is a quick test, and the others are long
DEADLINE = 120.0  # seconds: on a busy machine, each of many messages waits for a processor


@pytest.fixture(scope="module")
def here() -> Iterator[Target]:
    """The reference in this process."""
    target = resolve("reference")
    yield target
    target.close()


@pytest.fixture(scope="module")
def served() -> Iterator[Target]:
    """The reference in a separate process, served over the protocol."""
    target = resolve(f"cmd:{sys.executable} -m loopspec serve reference")
    yield target
    target.close()


def test_the_served_reference_has_the_same_declarations(here: Target, served: Target) -> None:
    """No role and no capability is lost."""
    assert served.identity == here.identity
    assert (served.roles, served.capabilities) == (here.roles, here.capabilities - {"cancel-read"})
    assert served.postures == here.postures == declared_dialect(DEFAULT_DIALECT)


@pytest.mark.parametrize("batch", [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, BATCHES))])
def test_every_case_passes_and_is_observed_as_in_process(here: Target, served: Target, batch: int) -> None:
    """The entries of each source are equal, and every check passes."""
    differing = [found for case in CASES[batch::BATCHES] if (found := _difference(case, here, served))]

    assert differing == []


def _difference(case: Case, here: Target, served: Target) -> str:
    role = role_of(case, served)
    scene = case.scene.shortened()
    seen = perform(served, scene, role, DEADLINE)
    if case.basis != "declared" and look(case, seen).verdict != "passed":  # the reference has no posture
        return f"{case.id}: {look(case, seen).message}"
    wanted, found = by_source(perform(here, scene, role)), by_source(seen)
    return "\n".join(
        f"{case.id}: of {source} there was {found.get(source)} and in process {wanted.get(source)}"
        for source in {**wanted, **found}
        if wanted.get(source) != found.get(source)
    )
