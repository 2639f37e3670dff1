"""The index of the site's search: one entry for everything that has an address."""

from __future__ import annotations

import json

from ...contract.capabilities import CAPABILITIES, ROLES
from ...specification.order import topic
from .. import rules
from .areas import Area
from .links import capability_address
from .phrases import sentences


def index(areas: tuple[Area, ...]) -> str:
    """The index as a script: kind, name, title, topic, the other words, address."""
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in _entries(areas))
    return f"window.loopspecIndex = [\n{lines}\n];\n"


def _entries(areas: tuple[Area, ...]) -> list[tuple[str, str, str, str, str, str]]:
    found: list[tuple[str, str, str, str, str, str]] = []
    for rule in rules().values():
        titles = [scenario.title for scenario in rule.written.scenarios] if rule.written else []
        kind = rule.basis if rule.status == "scenario" else rule.status
        words = " ".join([*titles, rule.decision, rule.reason])
        found.append((kind, rule.id, rule.sentence, topic(rule.area), words, rule.address))
    for area in areas:
        words = " ".join(chapter.feature.title for chapter in area.chapters)
        found.append(("area", area.name, area.topic, "", words, area.address))
    for sentence in sentences():
        text = f"{sentence.kind.capitalize()} {sentence.text}"
        found.append(("phrase", "", text, "", sentence.meaning, sentence.address))
    found += [("role", name, meaning, "", "", capability_address(name)) for name, meaning in ROLES.items()]
    found += [("capability", name, meaning, "", "", capability_address(name)) for name, meaning in CAPABILITIES.items()]
    found += [("mutant", bug.name, bug.sentence, "", bug.rule, bug.address) for area in areas for bug in area.bugs]
    return found
