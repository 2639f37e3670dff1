"""Properties that each file of the repository has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from loopspec.cli.commands.phrases import phrasebook
from loopspec.specification.features import compiled

from .repository import features, python, texts


def _rules(feature: Any) -> list[Any]:
    return [child["rule"] for child in feature["children"] if "rule" in child]


def _scenarios(feature: Any) -> list[Any]:
    return [child["scenario"] for rule in _rules(feature) for child in rule["children"] if "scenario" in child]


def _wrong(predicate: Callable[[Any], object]) -> list[str]:
    """The features for which a predicate is true."""
    return [path for path, feature in features().items() if predicate(feature)]


def test_a_feature_opens_with_prose() -> None:
    """The prose explains the topic before the first rule; the file has the name of the topic."""
    assert len(features()) > 50
    assert _wrong(lambda feature: len(feature["description"].split()) < 15) == []
    assert _wrong(lambda f: len(re.split(r"\{[a-z ]+\} stands for", f["description"])[0].split()) > 115) == []
    assert [path for path in features() if not re.fullmatch(r"[a-z_]+", Path(path).stem)] == []


def test_a_folder_holds_at_most_twelve_features() -> None:
    """A reader can survey a topic."""
    folders = Counter(Path(path).parent for path in features())

    assert {str(folder): count for folder, count in folders.items() if count > 12} == {}


def test_a_background_is_given() -> None:
    """A background has at most three Givens and no other step."""

    def is_wrong(feature: Any) -> bool:
        backgrounds = [child["background"]["steps"] for child in feature["children"] if "background" in child]
        return any(len(steps) > 3 or steps[0]["keywordType"] != "Context" for steps in backgrounds)

    assert _wrong(is_wrong) == []


def test_examples_have_no_tags() -> None:
    """pytest-bdd would turn tags of `Examples:` into markers without registering them."""
    assert _wrong(lambda f: [e["name"] for s in _scenarios(f) for e in s["examples"] if e["tags"]]) == []


def test_examples_are_small() -> None:
    """A table has at most four columns and fourteen rows."""

    def is_wrong(feature: Any) -> bool:
        tables = [examples for scenario in _scenarios(feature) for examples in scenario["examples"]]
        return any(len(t["tableHeader"]["cells"]) > 4 or len(t["tableBody"]) > 14 for t in tables)

    assert _wrong(is_wrong) == []


def test_features_speak_no_programming_language() -> None:
    """No sentence has an identifier of an implementation, except the marker and the tags of the document."""

    def is_wrong(feature: Any) -> bool:
        sentences = [node["name"] for node in [*_rules(feature), *_scenarios(feature)]]
        words = {w for sentence in sentences for w in re.findall(r"\b[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+\b", sentence)}
        return not words <= {"__agentsmd_content__", "agentsmd_content"}

    assert _wrong(is_wrong) == []


def test_case_ids_are_unique() -> None:
    """A baseline names each case on one line."""
    ids = [case.id for case in compiled()]

    assert len(ids) == len(set(ids))
    assert [id_ for id_ in ids if "\n" in id_] == []


def test_the_phrasebook_page_is_up_to_date() -> None:
    """`loopspec phrases --markdown > steps/README.md` changes nothing."""
    assert texts()["steps/README.md"] == phrasebook() + "\n"


def test_no_module_is_longer_than_400_lines() -> None:
    """A long module should be split."""
    assert [name for name, text in python().items() if len(text.splitlines()) > 400] == []


def test_no_module_has_a_meaningless_name() -> None:
    """Names such as `utils` do not describe a module."""
    meaningless = {"utils", "util", "helpers", "common", "base", "manager", "misc"}

    assert [name for name in python() if Path(name).stem in meaningless] == []


def test_every_ignored_check_has_a_code_and_a_reason() -> None:
    """`type: ignore` and `noqa` name the check and the reason."""
    pattern = re.compile(r"# (?:type: ignore(?!\[[\w, -]+\]  # \S)|noqa(?!: [A-Z0-9, ]+  # \S))")
    found = [
        f"{name}:{number}"
        for name, text in python().items()
        if not __file__.endswith(name)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]

    assert found == []


def test_nothing_is_excluded_from_coverage() -> None:
    """No line is excluded from coverage."""
    excuse = "pragma: no " + "cover"

    assert [name for name, text in texts().items() if name.endswith((".py", ".toml")) and excuse in text] == []


def test_no_file_names_where_it_was_made() -> None:
    """No file contains a path of a machine or an address of a package registry."""
    registry = r"https?://(registry|proxy|files|repo1?|static|index)\.[a-z]"
    pattern = re.compile("|".join(["/wo" + "rk/", r"\.\./sha" + "red", registry]))

    assert [name for name, text in texts().items() if pattern.search(text)] == []
