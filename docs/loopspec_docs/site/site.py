"""Makes the files of the site, as texts by their paths."""

from __future__ import annotations

from importlib import resources
from typing import Any

from jinja2 import Environment

from loopspec.contract.axes import axes
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import value_of_rule
from loopspec.contract.roles import ROLES
from loopspec.contract.specification import digest
from loopspec.pages import PageRule, Section, environment, rules, theme
from loopspec.protocol.schema import schema_text
from loopspec.specification.ledger import JUDGED, NotCovered, ledger
from loopspec.specification.names import names
from loopspec.specification.order import documents_in_order, topic
from loopspec_instructions.linting import tools_by_name

from ..highlighting import highlighted, session
from ..pictures import figures, figures_of
from .api import api
from .areas import Area, judged, site_areas
from .command_line import CommandLine
from .dialects import STATES, answers, axis_address, axis_groups, dialect_address, dialects, holders_of_rule
from .examples import programs
from .guide import guide, instruction_tools, protocol_page, stores
from .links import capability_address, linked, section_address, slug
from .linting import lint_rules
from .messages import methods, types
from .museum import exhibits
from .names import called, concept_address, concepts_of_area, frameworks, page_of
from .navigation import GROUPS
from .phrases import places, sentences, table_anchor, vocabulary
from .results import area_rows, capability_rows, implementations, sums
from .search import index
from .topics import topics
from .variants import judgings
from .versions import versioned_targets
from .words import BASES, STATUSES, WORDS

_FILES = resources.files("loopspec_docs.site")


def site(version: str, commands: CommandLine) -> dict[str, str]:
    """Make the site: the specification, the guide, the protocol, the results, and these commands.

    `version` is shown on each page.
    """
    areas = site_areas()
    make = _Maker(
        _environment(),
        {
            "version": version,
            "digest": digest(),
            "documents": _documents(),
            "areas": areas,
            "groups": GROUPS,
        },
    )
    files = {
        "theme.css": str(theme()),
        "site.css": _read("site.css"),
        "pictures.css": _read("pictures.css"),
        "search.js": _read("search.js"),
        "site.js": _read("site.js"),
        "index.js": index(areas, commands),
        "index.html": make("index.html", "", counts=_counts(), bases=BASES, figures=figures(), course=_course()),
        "search.html": make("search.html", ""),
        "words.html": make("words.html", "", words=WORDS),
        "phrases.html": make(
            "phrases.html",
            "",
            sentences=sentences(),
            vocabulary=vocabulary(),
            places=places(),
            table_anchor=table_anchor,
        ),
        "capabilities.html": make(
            "capabilities.html", "", roles=ROLES, capabilities=CAPABILITIES, axes=axes(), needing=_needing()
        ),
        "decisions.html": make("decisions.html", ""),
        "uncovered.html": make(
            "uncovered.html",
            "",
            sections=_unruled(),
            statements=_statements(),
            statuses=STATUSES,
        ),
        "mutants.html": make("mutants.html", ""),
        "museum.html": make("museum.html", "", exhibits=exhibits()),
        "versions.html": make("versions.html", "", targets=versioned_targets()),
        "topics.html": make("topics.html", "", topics=topics()),
        "lint.html": make("lint.html", "", lint_rules=lint_rules(), lint_tools=tools_by_name()),
        "api.html": make("api.html", "", rooms=api()),
        "command-line.html": make("command-line.html", "", line=commands),
        **_dialects(make),
        **_names(make),
        **_results(make, areas),
        **_guide(make),
        "pictures.html": make("pictures.html", "", figures=figures()),
        "examples.html": make("examples.html", "", programs=programs()),
    }
    for program in programs():
        files[program.address] = make("example.html", "../", program=program)
    for key, name in _documents().items():
        files[f"documents/{key}.html"] = make("document.html", "../", key=key, name=name, parts=_parts(key))
    for number, area in enumerate(areas):
        around = (areas[number - 1] if number else None, areas[number + 1] if number + 1 < len(areas) else None)
        files[area.address] = make("area.html", "../", area=area, before=around[0], after=around[1])
        if area.bugs:
            files[f"mutants/{area.name}.html"] = make("mutants_of_area.html", "../", area=area)
    return files


def _dialects(make: _Maker) -> dict[str, str]:
    """The matrix of the dialects of instruction files, and a page for each dialect."""
    files = {"dialects.html": make("dialects.html", "", states=STATES, answers=answers())}
    for name, known in dialects().items():
        cells = {row.name: row.of(name) for group in axis_groups() for row in group.rows}
        differing = [axis for axis, cell in cells.items() if cell.observed]
        counts: dict[str, int] = {state: sum(cell.state == state for cell in cells.values()) for state in STATES}
        files[dialect_address(name)] = make(
            "dialect.html",
            "../",
            name=name,
            known=known,
            counts={**counts, "differs": len(differing)},
            differing=differing,
        )
    return files


def _names(make: _Maker) -> dict[str, str]:
    """The names of the concepts in each framework, and by framework."""
    files = {"names.html": make("names.html", "")}
    for key, framework in frameworks().items():
        mine = [one for one in called() if one.framework == key]
        files[page_of(key)] = make("names_of.html", "../", framework=framework, mine=mine)
    return files


def _results(make: _Maker, areas: tuple[Area, ...]) -> dict[str, str]:
    """The results that ship: all in one table, and the differences of each implementation."""
    every, rows = implementations(areas), area_rows(areas)
    files = {"results.js": _read("results.js")}
    files["results.html"] = make(
        "results.html",
        "",
        implementations=every,
        area_rows=rows,
        capability_rows=capability_rows(every),
        capabilities=CAPABILITIES,
        sums=sums(rows, _documents()),
        states=[*dict.fromkeys(verdict for one in every for verdict in one.counts), "inapplicable"],
    )
    for one in every:
        files[one.address] = make("results_of.html", "../", one=one)
    for name, page in (("instruction-files", instruction_tools()), ("stores", stores())):
        at = f"results/{name}.html"
        files[at] = make("written.html", "../", file="", above="results.html", page=page)
    return files


def _guide(make: _Maker) -> dict[str, str]:
    """The pages in Markdown, and the messages of the protocol."""
    files = {"schema.json": schema_text() + "\n"}
    files["messages.html"] = make("messages.html", "", methods=methods(), types=types())
    files["protocol.html"] = make("written.html", "", file="protocol.html", page=protocol_page())
    for address, page in guide().items():
        files[address] = make("written.html", "../", file=address, page=page)
    return files


def _course() -> dict[str, str]:
    """The titles of the pages of the course by their addresses."""
    return {address: guide()[address].title for address in GROUPS[0].pages}


class _Maker:
    """Makes a page from a template. `top` leads from the page to the folder of the site."""

    def __init__(self, templates: Environment, shared: dict[str, Any]) -> None:  # Any: whatever templates take
        self._templates = templates
        self._shared = shared

    def __call__(self, template: str, top: str, **values: object) -> str:
        return self._templates.get_template(template).render(**self._shared, template=template, top=top, **values)


def _environment() -> Environment:
    made = environment("loopspec_docs.site")
    made.filters |= {"linked": linked, "slug": slug, "highlighted": highlighted, "session": session}
    made.globals |= {
        "section_address": section_address,
        "capability_address": capability_address,
        "topic": topic,
        "rules": rules(),
        "frameworks": frameworks(),
        "called": called(),
        "page_of": page_of,
        "concept_address": concept_address,
        "concepts_of_area": concepts_of_area(),
        "concepts": names().concepts,
        "with_page": {area.name for area in site_areas()},
        "figures_of": figures_of,
        "dialects": dialects(),
        "axis_groups": axis_groups(),
        "dialect_address": dialect_address,
        "axis_address": axis_address,
        "holders_of_rule": holders_of_rule,
        "by_dialect": value_of_rule(),
        "judgings": judgings(),
    }
    return made


def _read(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")


def _documents() -> dict[str, str]:
    """The titles of the documents by their keys, in reading order."""
    return {key: ledger().documents[key] for key in documents_in_order()}


def _counts() -> dict[str, int]:
    """The number of rules of each kind."""
    found = list(rules().values())
    return {
        "all": len(found),
        "judged": sum(rule.status in JUDGED for rule in found),
        "normative": sum(rule.is_normative for rule in found),
        **{status: sum(rule.status == status for rule in found) for status in STATUSES},
        **{name: sum(rule.status in JUDGED and rule.basis == name for rule in found) for name in BASES},
    }


def _needing() -> dict[str, list[str]]:
    """The rules that can be judged in each role, and those that need each capability."""
    found: dict[str, list[str]] = {}
    for rule, (roles, needs) in judged().items():
        for name in (*roles, *needs):
            found.setdefault(name, []).append(rule)
    return found


def _parts(document: str) -> list[tuple[Section | None, str, list[PageRule]]]:
    """The sections of a document, each with its rules or the reason why it has none; last, rules without a section."""
    book = ledger()
    parts: list[tuple[Section | None, str, list[PageRule]]] = []
    for title, reason in book.sections.get(document, {}).items():
        section = Section(document, book.documents[document], title)
        parts.append((section, reason, [rule for rule in rules().values() if section in rule.sections]))
    rest = [rule for rule in rules().values() if rule.document == document and not rule.sections]
    return [*parts, (None, "", rest)] if rest else parts


def _unruled() -> list[tuple[Section, str]]:
    """The sections of the documents that no rule comes from, each with the reason."""
    book = ledger()
    return [
        (Section(document, book.documents[document], title), reason)
        for document, titles in book.sections.items()
        for title, reason in titles.items()
        if reason
    ]


def _statements() -> list[tuple[Section, NotCovered]]:
    """The statements of the documents that no rule covers, each with its section."""
    book = ledger()
    return [(Section(one.document, book.documents[one.document], one.section), one) for one in book.not_covered]
