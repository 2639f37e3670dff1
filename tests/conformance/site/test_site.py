"""`loopspec docs`: every link has a target, nothing comes from elsewhere, and everything is there with its text."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest

from loopspec.cli.core import commands, parser
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import dialect, dialect_names, instruction_axes, value_of_rule
from loopspec.contract.roles import ROLES
from loopspec.pages.rules import address, rules
from loopspec.pages.written import features
from loopspec.protocol.schema import schema, schema_text
from loopspec.specification.cases import area_of
from loopspec.specification.ledger import JUDGED, is_normative, ledger, own_rule
from loopspec.specification.museum import museum
from loopspec.specification.names import names
from loopspec.specification.order import order
from loopspec_docs.site.api import ROOMS, public
from loopspec_docs.site.command_line import leaves
from loopspec_docs.site.examples import programs
from loopspec_docs.site.guide import PAGES
from loopspec_docs.site.markdown import slug
from loopspec_docs.site.navigation import COURSE
from loopspec_docs.site.results import implementations
from loopspec_docs.words import WORDS
from loopspec_instructions.linting import rules as lint_rules
from loopspec_known.results import results
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK, vocabulary

from .conftest import Site, on_one_line

EXAMPLES = Path(__file__).parents[3] / "examples"
pytestmark = pytest.mark.long  # the site is made
Texts = Iterator[tuple[str, Iterable[str]]]  # pages, each with texts that stand there


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(made: Site) -> None:
    """There are thousands of them. All are relative, except for links to other sites, so nothing is loaded from one."""
    broken, count = [], 0
    for name in made.pages:
        for tag, target in re.findall(r'<(a|link|script|img|iframe) [^<>]*?(?:href|src)="?([^"\s>]+)', made.read(name)):
            if re.match("https?:", target):
                assert tag == "a", (name, target)
                continue
            count += 1
            path, _, anchor = unquote(unescape(target)).partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if file not in made.files or (anchor and not made.anchors(file)[anchor] and anchor != "__top"):
                broken.append((name, target))

    assert broken == []
    assert count > 10_000
    assert made.read("schema.json") == schema_text() + "\n"


def test_a_page_has_a_title_of_its_own_and_no_anchor_twice(made: Site) -> None:
    """Every rule has one anchor, on the page of its area: its address never changes."""
    titles = [re.findall("<title>(.*?)</title>", made.read(name)) for name in made.pages]
    anchors = [(name, anchor) for name in made.pages for anchor in made.anchors(name).elements()]
    known = set(ledger().rules)

    assert {len(found) for found in titles} == {1}
    assert len({title for (title,) in titles}) == len(titles)
    assert {len(made.page(name).all("h1")) for name in made.pages} == {1}
    assert len(set(anchors)) == len(anchors)
    of_rules = sorted((name, anchor) for name, anchor in anchors if anchor in known)
    assert of_rules == sorted((f"rules/{area_of(rule)}.html", rule) for rule in known)
    assert {address(rule) for rule in known} == {f"{name}#{rule}" for name, rule in of_rules}


def test_the_navigation_leads_to_every_area_and_every_written_page(made: Site) -> None:
    """In its tabs. The course is on the start page, and leads from page to page."""
    tabs = ("index.html", "course/tools.html", "rules/LOOP.html", "api.html", "results.html", "dialects.html")
    targets = [(name, target) for name in tabs for target in re.findall(r'href="?([^"#\s>]+)', made.read(name))]
    shown = {posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for name, target in targets}
    written = {f"guide/{name}.html" for name in PAGES} | {f"course/{name}.html" for name in COURSE}
    titles = [made.page(f"course/{name}.html").all("h1")[0].text.strip() for name in COURSE]

    generated = {name for name in made.pages if "/" not in name}
    assert {f"rules/{area}.html" for area in order().areas} | written | generated <= shown
    assert " ".join(titles) in made.text("index.html")
    for name, following in pairwise(COURSE):
        assert f"../course/{following}.html" in made.links(f"course/{name}.html")


def of_rules() -> Texts:
    """Each decision; the reason of a rule that is not judged; every section and statement that no rule covers."""
    yield "decisions.html", [f"{rule} {rules()[rule].sentence}" for rule, row in ledger().rules.items() if row.decision]
    yield "decisions.html", [row.decision for row in ledger().rules.values()]
    unjudged = (rule for rule in rules().values() if rule.status not in JUDGED)
    yield "uncovered.html", [f"{rule.id} {rule.sentence} {rule.basis} {rule.status}" for rule in unjudged]
    for key, sections in ledger().sections.items():
        yield f"documents/{key}.html", [*sections, *sections.values()]
    for one in ledger().not_covered:
        yield "uncovered.html", [f"{one.where} {one.says} {one.why}"]
    for folder in order().folders:
        yield "topics.html", [folder.title, folder.says]


def of_vocabulary() -> Texts:
    """Each phrase, column, action, gate, word and type with its meaning; roles and capabilities; words."""
    yield "phrases.html", [f"{phrase.readable}{phrase.meaning}" for phrase in BOOK.phrases]
    for section in vocabulary.sections():
        for group in section.groups:
            yield "phrases.html", [group.meaning, *(f"{item.text} {item.meaning}" for item in group.items)]
    yield "capabilities.html", [f"{name} {meaning}" for name, meaning in (*ROLES.items(), *CAPABILITIES.items())]
    for own in WORDS.values():
        yield "words.html", [f"{word} {meaning}" for word, meaning in own.items()]


def of_mutants() -> Texts:
    """The bug of each mutant, with the reason of each neighbor; each real bug."""
    for mutant in MUTANTS.values():
        yield f"mutants/{area_of(mutant.rule)}.html", [mutant.name, mutant.sentence, *mutant.neighbors.values()]
        yield "mutants.html", [f"{mutant.rule} {mutant.name}: {mutant.sentence}"]
    for bug in museum():
        yield "museum.html", [bug.title, bug.happened, f"Caught by {' '.join(bug.caught_by)} · mutant {bug.mutant}"]


def of_instruction_files() -> Texts:
    """The question of each axis, the value of each dialect with its source, what is observed instead; lint rules."""
    for name in dialect_names():
        known = dialect(name)
        for key, axis in instruction_axes().items():
            choice, page = known.axes.get(key), f"dialects/{name}.html"
            yield page, [axis.question]
            if choice:
                values = [choice.judged, choice.observed]
                yield page, [axis.values[value].sentence for value in values if value in axis.values]
                yield page, [choice.says if choice.documented else choice.unknown]
    for rule in lint_rules().values():
        files = (*rule.example.entries, *rule.example.twin, *rule.example.without)
        texts = [f"{rule.id}: {rule.title}", rule.why, rule.fix, *(path.removeprefix("project/") for path in files)]
        yield "lint.html", texts


def of_interfaces() -> Texts:
    """Every command with its options and examples, every message with its fields, and every public name."""
    for name, one in leaves(parser()):
        options = [action.option_strings[0] for action in one._actions if action.option_strings]
        yield "command-line.html", [f"loopspec {name}", one.description or "", *options]
    for command in commands():
        yield "command-line.html", [f"{line} {says}" for line, says in command.examples.items()]
    said = schema()
    for method in said["methods"].values():
        yield "messages.html", [method["meaning"], *method["roles"]]
    types = (one.get("properties", ()) for one in said["$defs"].values())
    yield "messages.html", [field for of in types if "jsonrpc" not in of for field in of]  # without those of a line
    for room in ROOMS:
        yield "api.html", [room, *public(room)]
    yield "api.html", ["async def around_tool(", "stubborn: bool", "generated_scenes = 50"]


def of_results() -> Texts:
    """Each known difference with its reason, and each undeclared capability; each name in each framework."""
    for one in implementations():
        yield one.address, [one.judged.name, *(difference.reason for difference in one.judged.differences)]
        yield one.address, [text for name, why in one.left_out.items() for text in (name, why.reason)]
    frameworks = names().frameworks
    for concept in names().concepts.values():
        own = [f"{frameworks[key].name}: {name.name}" for key, name in concept.names.items()]
        yield "names.html", [f"{concept.name} {concept.says}", *own]
        for key, name in concept.names.items():
            yield f"names/{key}.html", [concept.name, concept.says, name.note]


def of_programs() -> Texts:
    """The examples with all sources, and their output."""
    for one in programs():
        sources = [(EXAMPLES / f"{name}.py").read_text(encoding="utf-8") for name in (one.name, *one.imports)]
        yield f"examples/{one.name}.html", [one.title, one.session, *sources]


SOURCES = (of_rules, of_vocabulary, of_mutants, of_instruction_files, of_interfaces, of_results, of_programs)


@pytest.mark.parametrize("source", SOURCES)
def test_everything_is_on_its_page_with_its_text(made: Site, source: Callable[[], Texts]) -> None:
    """Rules, phrases, results and so on."""
    missing, count = [], 0
    for page, texts in source():
        for text in filter(None, map(on_one_line, texts)):
            count += 1
            missing += [] if text in made.text(page) else [(page, text)]

    assert missing == []
    assert count > 10


def test_a_rule_is_there_with_all_of_its_text(made: Site) -> None:
    """Its sentence, why, its steps in their order, and its places."""
    for feature in features():
        for written in feature.rules:
            shown = rest = made.rule(f"rules/{area_of(written.ids[0])}.html", written.ids[0])
            texts = [written.sentence, *(step.text for step in (*feature.background, *written.background))]
            for scenario in written.scenarios:
                texts += [scenario.title, *(step.text for step in scenario.steps)]
            for text in map(on_one_line, texts):
                _, found, rest = rest.partition(text)
                assert found == text, (written.ids, text)
            for name in (name for name in written.ids if area_of(name) == area_of(written.ids[0])):
                row = ledger().rules[name]
                wanted = [row.basis if "by dialect" not in shown else "", row.decision, *row.sections]
                wanted += [f"{row.where}: {row.says}" if row.where else "", f"features/{feature.file}:{written.line}"]
                assert [text for text in map(on_one_line, wanted) if text not in shown] == [], name


def test_a_rule_explains_before_it_proves(made: Site) -> None:
    """The sentence, why, one example, who does otherwise; the rest is folded."""
    for rule in rules().values():
        if rule.written and rule.written.ids[0] == rule.id:
            shown = made.rule(rule.address.partition("#")[0], rule.id)
            first, _, rest = shown.partition("Mutants, conditions and source")
            parts = [
                first.find(part) for part in ("A real bug:", "Scenario", "Some do otherwise (", "Known to differ:")
            ]
            places = [place for place in (first.find(on_one_line(rule.decision)), *parts) if place > 0]
            assert places == sorted(places), rule.id
            assert parts[1] > 0, rule.id
            assert f"features/{rule.file}" in rest, rule.id


def test_the_start_page_counts_the_rules(made: Site) -> None:
    """By what judges them, and by their basis."""
    found, text = ledger().rules, made.text("index.html")
    judged = {name: row for name, row in found.items() if row.status in JUDGED}
    bases = Counter("by dialect" if name in value_of_rule() else row.basis for name, row in judged.items())

    assert (
        f"in {len(found)} rules. An implementation under test, called a target, is judged by {len(judged)} of" in text
    )
    assert f"{sum(map(is_normative, judged))} of these rules are normative" in text
    assert [basis for basis, count in bases.items() if f"{basis} {count} rules" not in text] == []


def test_every_rule_has_its_verdict_on_every_implementation(made: Site) -> None:
    """In the row of the rule; a known failure leads to its reason."""
    rows: dict[str, list[str | None]] = {}
    for cell in made.page("results.html").all("td"):
        if cell.within and "data-state" in cell.attributes:
            rows.setdefault(cell.within.text.split()[0], []).append(cell.attributes["data-state"])
    every = results().implementations
    judged = {rule for one in every for found in one.verdicts.values() for rule in found}
    assert rows == {rule: [one.verdict(rule) for one in every] for rule in judged}
    assert {link for link in made.links("results.html") if "#known-" in link} == {
        f"results/{slug(one.adapter.rpartition('/')[2])}.html#known-{rule}"
        for one in every
        for rule in one.verdicts.get("known", ())
    }


def test_the_section_of_an_area_names_each_cause_whose_examples_are_in_the_area(made: Site) -> None:
    """Even if the cause is charged to a rule elsewhere, as an invariant is. What all examples need leads further, if
    most examples of the cause or the posture need it; of a defect, one suffices.
    """
    missing = [
        (one.key, area, difference.cause)
        for one in implementations()
        for difference in one.judged.differences
        for area in sorted({area_of(own_rule(case)) for case in difference.cases} - {"INVARIANT"})
        if difference.cause not in made.rule(one.address, area)
    ]

    assert missing == []
    interrupts = made.rule("results/langchain.html", "INTERRUPT")
    elsewhere = ("interrupted-wrapper: repeated", "completed-results-again", "calls-without-results")
    assert [name for name in elsewhere if name not in interrupts] == []
    assert "after-order" not in interrupts


def test_every_dialect_has_its_value_on_every_axis(made: Site) -> None:
    """A value leads to its rule, and a letter to the source on the page of the dialect. A mark shows a difference."""
    rows = {cell.attributes.get("id"): on_one_line(cell.text) for cell in made.page("dialects.html").all("tr")}
    judged = sorted(dialect_names(), key=lambda name: not dialect(name).judged)
    for key, axis in instruction_axes().items():
        shown = []
        for choice in (dialect(name).axes.get(key) for name in judged):
            value = "–"
            if choice:
                letter = "D" if choice.documented else "M"
                value = "?" if choice.unknown else f"{choice.judged} {letter}"
                value += f" ≠ {choice.observed}" if choice.observed else ""
            shown.append(value)
        assert "".join(rows[key].split()) == "".join(f"{axis.question}{''.join(shown)}".split())
        of_values = {address(one.rule) for one in axis.values.values()}
        assert of_values & {*made.links("dialects.html")}


def test_every_program_has_its_place() -> None:
    """Each file of the examples has a page, or stands on the page of a program that imports it."""
    imported = {name for program in programs() for name in program.imports}

    assert {one.name for one in programs()} | imported == {path.stem for path in EXAMPLES.glob("*.py")}
