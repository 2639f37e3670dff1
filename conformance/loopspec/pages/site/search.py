"""The index of the site's search: one entry for everything that has an address."""

from __future__ import annotations

import json

from ...contract.capabilities import CAPABILITIES, ROLES
from .. import rules, topic
from ..pictures import figures
from .areas import Area
from .examples import programs
from .links import capability_address, slug
from .phrases import sentences
from .tour import tour


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
    found += [("picture", "", it.title, "", it.summary, f"pictures.html#picture-{it.name}") for it in figures()]
    found += [("example", one.name, one.title, "", one.text, one.address) for one in programs()]
    for module in (module for part in tour() for module in part.modules):
        words = " ".join([module.text, *(function.name for function in module.functions)])
        found.append(("module", module.path, module.said, "", words, f"reference.html#{slug(module.name)}"))
    found += [("mutant", bug.name, bug.sentence, "", bug.rule, bug.address) for area in areas for bug in area.bugs]
    return found
