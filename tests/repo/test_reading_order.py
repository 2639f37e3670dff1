"""features/order.toml: every feature and every area has one place in the reading order."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from loopspec.contract.specification import features_root
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.order import areas_in_order, documents_in_order, order, rules_in_order
from tools.reading_order import BLOCK, table

FEATURES = Counter(path.relative_to(features_root()).as_posix() for path in features_root().rglob("*.feature"))


def test_every_feature_has_one_place() -> None:
    """A folder is there once, and no line names a file that does not exist."""
    listed = Counter(file for folder in order().folders for file in folder.files)

    assert listed == FEATURES
    assert max(Counter(folder.path for folder in order().folders).values()) == 1


def test_every_area_has_one_title() -> None:
    """No two areas have the same title, and no title is of an area without rules."""
    titles = order().areas

    assert set(titles) == {area_of(rule) for rule in ledger().rules}
    assert max(Counter(titles.values()).values()) == 1


def test_the_order_of_areas_follows_from_the_features() -> None:
    """An area belongs to the folder with most of its rules, at its first feature there."""
    place = {file: number for number, file in enumerate(file for folder in order().folders for file in folder.files)}
    rules = {(area_of(rule), rule, case.rule.file) for case in compiled() for rule in case.rule.ids}
    firsts = []
    for area in areas_in_order():
        files = [file for name, _, file in rules if name == area]
        folders = Counter(file.rpartition("/")[0] for file in files)
        most = {folder for folder, count in folders.items() if count == max(folders.values())}
        firsts.append({place[file] for file in files if file.rpartition("/")[0] in most} or {len(place)})

    assert Counter(areas_in_order()) == Counter({area_of(rule) for rule in ledger().rules})
    assert all(min(before) <= max(after) for before, after in pairwise(firsts))
    assert areas_in_order()[:2] == ("LOOP", "MAXITER")
    assert [area_of(rule) for rule in rules_in_order()] == sorted(
        map(area_of, ledger().rules), key=areas_in_order().index
    )


def test_the_documents_about_the_loop_precede_the_others() -> None:
    """The rules that no document has are last."""
    assert documents_in_order()[0] == "agent"
    assert documents_in_order()[-1] == "loopspec"
    assert set(documents_in_order()) == set(ledger().documents)


def test_the_page_of_the_features_has_the_folders_in_this_order() -> None:
    """`python -m tools.reading_order` changes nothing."""
    assert BLOCK.has(table())
