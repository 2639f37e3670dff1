"""The index of the site's search: one entry for everything that has an address."""

from __future__ import annotations

import json
from collections.abc import Iterator

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import instruction_axes
from loopspec.contract.roles import ROLES
from loopspec.pages import rules
from loopspec.specification.ledger import JUDGED
from loopspec.specification.names import NO_NAME, names
from loopspec.specification.order import topic

from ..pictures import figures
from .api import api
from .areas import Area
from .command_line import CommandLine
from .dialects import axis_address, dialect_address, dialects
from .examples import programs
from .guide import guide, protocol_page
from .links import capability_address, slug
from .linting import lint_address, lint_rules
from .markdown import Written
from .messages import methods
from .names import called, concept_address, frameworks
from .phrases import sentences, vocabulary_entries


def index(areas: tuple[Area, ...], commands: CommandLine) -> str:
    """The index as a script: kind, name, title, topic, the other words, address."""
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in _entries(areas, commands))
    return f"window.loopspecIndex = [\n{lines}\n];\n"


# Kind, name, title, topic, the other words, address.
Entry = tuple[str, str, str, str, str, str]


def _entries(areas: tuple[Area, ...], commands: CommandLine) -> list[Entry]:
    found: list[Entry] = []
    for rule in rules().values():
        titles = [scenario.title for scenario in rule.written.scenarios] if rule.written else []
        kind = rule.basis if rule.status in JUDGED else rule.status
        words = " ".join([*titles, rule.decision, rule.reason])
        found.append((kind, rule.id, rule.sentence, topic(rule.area), words, rule.address))
    for area in areas:
        words = " ".join(chapter.feature.title for chapter in area.chapters)
        found.append(("area", area.name, area.topic, "", words, area.address))
    for sentence in sentences():
        text = f"{sentence.kind.capitalize()} {sentence.text}"
        found.append(("phrase", "", text, "", sentence.meaning, sentence.address))
    found += [(kind, "", text, "", meaning, address) for kind, text, meaning, address in vocabulary_entries()]
    found += [("role", name, str(meaning), "", "", capability_address(name)) for name, meaning in ROLES.items()]
    found += [
        ("capability", name, str(meaning), "", "", capability_address(name)) for name, meaning in CAPABILITIES.items()
    ]
    found += [*_dialects(), *_names(), *_pages(commands)]
    found += [("picture", "", it.title, "", it.summary, f"pictures.html#picture-{it.name}") for it in figures()]
    found += [("example", one.name, one.title, "", one.text, one.address) for one in programs()]
    found += [("lint", one.id, one.title, "", f"{one.why} {one.fix}", lint_address(one.id)) for one in lint_rules()]
    found += [("mutant", bug.name, bug.sentence, "", bug.rule, bug.address) for area in areas for bug in area.bugs]
    return found


def _dialects() -> Iterator[Entry]:
    """The dialects of instruction files, and the axes with their values."""
    for name, known in dialects().items():
        words = " ".join(choice.says for choice in known.axes.values())
        yield ("dialect", name, f"How {known.title} reads instruction files", "", words, dialect_address(name))
    for name, axis in instruction_axes().items():
        words = " ".join(f"{value} {one.sentence}" for value, one in axis.values.items())
        yield ("axis", name, axis.question, "", words, axis_address(name))


def _names() -> Iterator[Entry]:
    """The concepts, and each of their names."""
    for key, concept in names().concepts.items():
        known = " ".join(f"{name.name} {name.note}" for name in concept.names().values() if name.name != NO_NAME)
        yield ("concept", "", concept.name, "", f"{concept.says} {known}", concept_address(key))
    for one in called():
        if one.exists:
            title = f"{one.name.name} in {frameworks()[one.framework].name}: {one.concept.name}"
            yield ("name", "", f"{title} ({one.name.note})" if one.name.note else title, "", "", one.address)


def _pages(commands: CommandLine) -> Iterator[Entry]:
    """The pages in Markdown, the commands, and the methods of the protocol."""
    yield _page("protocol.html", protocol_page())
    for address, page in guide().items():
        yield _page(address, page)
    for command in commands.commands:
        words = " ".join([command.says, *(option.names for option in command.options)])
        yield ("command", "", f"loopspec {command.name}", "", words, f"command-line.html#loopspec-{slug(command.name)}")
    for one in (one for room in api() for one in room.names):
        words = " ".join(member.name for member in one.members)
        yield ("api", one.name, one.summary, "", f"{one.module} {words}", one.address)
    for method in methods():
        yield ("method", method.name, method.meaning, "", "", f"messages.html#{slug(method.name)}")


def _page(address: str, page: Written) -> Entry:
    return ("page", "", page.title, "", " ".join(heading.title for heading in page.headings), address)
