"""The variants that each case is judged in by default."""

from __future__ import annotations

import pytest

from loopspec.cli import main
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.selection import Selection, plan
from loopspec_lab.variants import Variant, varied_cases
from loopspec_lab.variants.expanding import variants
from loopspec_lab.variants.source import pinned

MOST = 500


def planned(selection: Selection) -> list[str]:
    return [case.id for case in plan(compiled(), selection, ledger().rules) if case.source]


def parts_of(case: Case, variant: Variant) -> list[int] | None:
    """The numbers of the parts that a variant has in a case; None if the variant does not apply."""
    found = next(varied_cases(case, [variant]), None)
    return None if found is None else [variant.parts.index(one) for one in found.variant.parts]


def test_each_pinned_variant_applies_to_its_case() -> None:
    """A renamed case, and one that its variant leaves out by now, would be judged no more, without a word."""
    cases = {case.id: case for case in compiled()}

    lost = [
        f"{name} + {variant}"
        for name, names in pinned().items()
        for variant, numbers in names.items()
        if name not in cases or parts_of(cases[name], variants()[variant]) != list(numbers)
    ]

    assert lost == [], "python -m tools.pinned_variants chooses again"


def test_few_forms_are_pinned() -> None:
    """At most as many as a plain run is to have."""
    assert 0 < sum(map(len, pinned().values())) <= MOST


def test_a_plain_run_has_the_pinned_forms() -> None:
    """So has a run of some rules, for their cases; one that names variants or cases has what it names."""
    name, (variant, *_) = next((name, [*names]) for name, names in pinned().items())
    rule = name.partition(" :: ")[0]
    form = f"{name} + {variant}"

    assert len(planned(Selection())) == sum(map(len, pinned().values()))
    assert form in planned(Selection(rules=[rule]))
    assert planned(Selection(variants=["none"])) == []
    assert planned(Selection(cases=[name])) == []
    assert planned(Selection(rules=[rule], deselect=[form])).count(form) == 0


def test_the_last_sentence_names_only_variants_that_the_caller_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A few transformed scenes make no target conformant in a variant."""
    rule = next(iter(pinned())).partition(" :: ")[0]
    chosen = plan(compiled(), Selection(rules=[rule]), ledger().rules)

    assert main(["run", "reference", "--rule", rule]) == 0
    *_, counts, _, last = [line for line in capsys.readouterr().out.splitlines() if "hold" in line or "conf" in line]

    assert "transformed scene" in counts or "variant" in counts
    assert last == f"reference is conformant in {len(chosen)} selected cases."
