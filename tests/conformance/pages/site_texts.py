"""The texts that must be on the site of `loopspec docs`, each with the address of its place."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import unescape
from pathlib import Path

from loopspec.cli.core import parser
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import dialect, dialect_names, holders, instruction_axes, value_of_rule
from loopspec.contract.roles import ROLES
from loopspec.pages import address, features, rules
from loopspec.protocol.schema import schema
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, ledger
from loopspec.specification.names import names
from loopspec.specification.order import order
from loopspec.specification.sources import charged_rule
from loopspec_docs.manual import EXIT_CODES, manual
from loopspec_docs.pictures import figures
from loopspec_docs.site.api import api
from loopspec_docs.site.examples import programs
from loopspec_docs.site.guide import guide
from loopspec_docs.site.links import slug
from loopspec_docs.site.messages import methods, types
from loopspec_docs.site.names import frameworks
from loopspec_docs.site.results import implementations
from loopspec_docs.site.versions import changed_rules, versions
from loopspec_instructions.linting import rules as lint_rules
from loopspec_known.results import results
from loopspec_mutants import MUTANTS
from loopspec_mutants.rewriting import Rewriting
from loopspec_steps import BOOK, vocabulary

EXAMPLES = Path(__file__).parents[3] / "examples"

Texts = Iterator[tuple[str, Iterable[str]]]  # addresses, each with the texts that stand there


_LABELS = {"clarified": "Our choice", "documented": "Note on a documented rule", "derived": "Note on a derived rule"}


def of_rules() -> Texts:
    """The basis of each rule, its address in the document, its decision, and the reason of one without a scenario."""
    for rule, row in ledger().rules.items():
        yield address(rule), [rule]
        reason = row.variant or row.into or ledger().reasons.get(row.reason, row.status)
        yield (
            f"article {rule}",
            [
                "by dialect" if rule in value_of_rule() else row.basis,
                row.decision,
                ("By dialect" if rule in value_of_rule() else _LABELS[row.basis]) if row.decision else "",
                f"{row.where}: {row.says}" if row.where else "",
                *(title for titles in (row.sections, *row.also.values()) for title in titles),
                *([row.status, reason, row.sentence] if row.status != "scenario" else []),
            ],
        )
        yield "decisions.html", [f"{rule} " if row.decision else "", row.decision]
        if row.status not in JUDGED:
            yield "uncovered.html", [f"{rule} {row.basis} {row.status} {row.sentence}"]
    for rule, (axis, value) in value_of_rule().items():
        ways = {one.name: "against its document" if one.how == "observed" else one.how for one in holders(axis, value)}
        yield f"article {rule}", [f"{name} ({way})" for name, way in ways.items()]


def of_features() -> Texts:
    """The title and the prose of each feature, on the page of each of its areas, and in its folder."""
    titles = {feature.file: feature.title for feature in features()}
    for feature in features():
        for area in {area_of(rule) for written in feature.rules for rule in written.ids}:
            yield f"rules/{area}.html", [feature.title, *feature.prose, *(step.text for step in feature.background)]
    for folder in order().folders:
        yield "topics.html", [f"{folder.title} {folder.says}", *(titles[file] for file in folder.files)]


def of_documents() -> Texts:
    """Each section and each statement that no rule covers, with the reason."""
    for key, sections in ledger().sections.items():
        yield f"documents/{key}.html", [*sections, *sections.values()]
        yield "uncovered.html", [f"{title} {reason}" for title, reason in sections.items() if reason]
    for one in ledger().not_covered:
        yield "uncovered.html", [f"{one.where} {one.says} {one.why}"]


def of_phrases() -> Texts:
    """Each phrase, column, action, gate, word and type with its meaning; a phrase with a table names the columns."""
    for phrase in BOOK.phrases:
        table = [f"Table: {phrase.columns.name}."] if phrase.columns else []
        yield f"phrases.html#{slug(f'{phrase.kind} {phrase.readable}')}", [phrase.readable, phrase.meaning, *table]
    for section in vocabulary.sections():
        for group in section.groups:
            yield "phrases.html", [group.meaning, *(f"{item.text} {item.meaning}" for item in group.items)]
    for name, meaning in (*ROLES.items(), *CAPABILITIES.items()):
        yield f"capabilities.html#{name}", [f"{name} {meaning}"]


def of_mutants() -> Texts:
    """The bug of each mutant, its changed text or its function, and the reason of each neighbor."""
    for mutant in MUTANTS.values():
        place = f"mutants/{area_of(mutant.rule)}.html#{mutant.name}"
        yield place, [mutant.sentence, *mutant.neighbors.values()]
        yield f"article {mutant.rule}", [f"{mutant.name}: {mutant.sentence}"]
        if isinstance(mutant.bug, Rewriting):
            yield place, [f"+ {line}" for change in mutant.bug.changes for line in change.new.split("\n")]
        else:
            function = mutant.bug.func if isinstance(mutant.bug, partial) else mutant.bug
            source = inspect.getsource(function).partition("def ")[2]
            yield place, [source.partition(":\n")[0]]


def of_dialects() -> Texts:
    """The question of each axis, the value of the dialect with its source, and what is observed instead."""
    for name in dialect_names():
        known = dialect(name)
        for key, axis in instruction_axes().items():
            choice = known.axes.get(key)
            if choice is None:
                yield f"dialects/{name}.html#{key}", [axis.question, f"does not concern {known.title}."]
                continue
            values = [axis.values[value].sentence for value in (choice.judged, choice.observed) if value in axis.values]
            source = choice.says if choice.documented else choice.unknown
            if choice.measured and not choice.documented:
                source = f"with {known.title} {known.version}; the document is silent"
            differs = ["differs from its document"] if choice.observed else []
            yield f"dialects/{name}.html#{key}", [axis.question, source, *values, *differs]


def of_lint() -> Texts:
    """The reason of each rule, what to do, every file of the example, and the place of the finding."""
    for rule in lint_rules().values():
        files = (*rule.example.entries, *rule.example.twin, *rule.example.without)
        place = f"{rule.example.path}:{rule.example.line}"
        texts = [rule.title, rule.why, rule.fix, place, *(path.removeprefix("project/") for path in files)]
        yield f"lint.html#{rule.id}", texts


def of_commands() -> Texts:
    """Every option of every command with its help and its choices, each example, and the exit codes."""
    for one in leaves(parser()):
        for action in one._actions:
            names_ = action.option_strings or [str(action.metavar or action.dest.upper())]
            texts = [*names_, action.help or "-", *map(str, action.choices or ())]
            yield f"command-line.html#{slug(one.prog)}", [one.description or "-", *texts]
    for command in manual().commands:
        yield "command-line.html", [f"{one.line} {one.says}" for one in command.examples]
    yield "command-line.html", [f"{code} {says}" for code, says in EXIT_CODES.items()]


def leaves(whole: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser of each command that can be typed."""
    below = [action for action in whole._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield whole
    for action in below:
        for one in action.choices.values():
            yield from leaves(one)


def of_messages() -> Texts:
    """Each method with its direction and its fields, and each type with its fields and their defaults."""
    said = schema()
    arrows = {"harness": "harness → adapter", "adapter": "adapter → harness", "both": "harness ↔ adapter"}
    for method in methods():
        row = said["methods"][method.name]
        result = ["Result: "] if "result" in row else []
        texts = [f"{method.name} {arrows[row['caller']]} {row['kind']}", row["meaning"], *row["roles"], *result]
        sides = [said["$defs"][row[side]["$ref"].rpartition("/")[2]] for side in ("params", "result") if side in row]
        fields = [f" {field} " for side in sides for field in side.get("properties", ())]
        yield f"messages.html#{slug(method.name)}", [*texts, *fields]
    for one in types():
        component = said["$defs"][one.name]
        yield f"messages.html#{one.name}", [component["description"], *component.get("properties", ())]


def of_api() -> Texts:
    """Every public name, and the signatures as they are written in the source."""
    for room in api():
        for name in room.names:
            yield name.address, [name.name, *(unescape(part.striptags()) for part in name.says)]
    signatures = "async def around_tool(", "stubborn: bool = False", "generated_scenes = 50"
    yield "api.html", ["read: Callable[[A], M] | None = None", "tools: Sequence[str] | None = None", *signatures]


def of_results() -> Texts:
    """Each known difference at the rule that fails, with its reason and its cases; each undeclared capability."""
    cases = {case.id: case.rule.ids for case in compiled()}
    for one in results().implementations:
        page = f"results/{slug(one.adapter.rpartition('/')[2])}.html"
        for difference in one.differences:
            for case in difference.cases:
                for rule in cases.get(case, (charged_rule(case),)):
                    texts = [rule, ledger().rules[rule].basis, rules()[rule].sentence]
                    yield f"{page}#known-{rule}", [*texts, difference.reason, case.partition(" :: ")[2]]
    for judged in implementations(()):
        for name, reason in judged.left_out.items() if judged.undeclared is not None else ():
            yield f"{judged.address}#without-{name}", [name]
            yield judged.address, [reason.reason]


def of_versions() -> Texts:
    """Each judged version with its counts or its reason, its gaps, and the rules that have changed."""
    for target, summaries in versions().items():
        changed = list(changed_rules(summaries))
        yield f"section versions.html#{slug(target)}", changed or ["No rule has different verdicts at two of these"]
        for one in summaries:
            counts = "– – –" if one.reason else f"{len(one.verdicts['passed'])} {len(one.verdicts['failed'])}"
            texts = [f"{one.version} {counts}", one.reason, *(gap.reason for gap in one.gaps)]
            yield f"section versions.html#{slug(target)}", texts


def of_names() -> Texts:
    """Each concept with its name in each framework."""
    for key, concept in names().concepts.items():
        own = [f"{frameworks()[framework].name} {name.name}" for framework, name in concept.names().items()]
        yield f"names.html#{slug(key)}", [f"{concept.name} {concept.says}", *concept.areas, *own]
        for framework, name in concept.names().items():
            yield f"names/{framework}.html#{slug(key)}", [concept.name, name.note]
    for key, judged in frameworks().items():
        packages = [f"{name} {version}" for name, version in judged.also.items()]
        yield f"names/{key}.html", [f"{judged.name} {judged.version}", *packages]


def of_pictures() -> Texts:
    """Each picture on its page and on those of its areas, each claim and each cell with its rules."""
    for figure in figures():
        claims = [" ".join([claim.text, *claim.rules]) for claim in figure.claims]
        cells = (
            [" ".join([cell.text, *cell.rules]) for row in figure.table.rows for cell in row] if figure.table else []
        )
        yield f"pictures.html#picture-{figure.name}", [figure.title, figure.summary, *claims, *cells]
        for area in figure.areas:
            yield f"rules/{area}.html#picture-{figure.name}", [figure.title]


def of_programs() -> Texts:
    """The pages of the course and the guide; the examples with all sources and their output."""
    for at, page in guide().items():
        titles = [page.title, *(heading.title for heading in page.headings)]
        yield at, [*titles, unescape(page.body.striptags())[:400]]
    for program in programs():
        files = [program.name, *(module.name for module in program.imports)]
        sources = [(EXAMPLES / f"{name}.py").read_text(encoding="utf-8") for name in files]
        shown = [text for rule in program.rules for text in (rule, rules()[rule].sentence)]
        yield program.address, [*sources, program.session, *shown]


SOURCES: tuple[Callable[[], Texts], ...] = (
    of_rules,
    of_features,
    of_documents,
    of_phrases,
    of_mutants,
    of_dialects,
    of_lint,
    of_commands,
    of_messages,
    of_api,
    of_results,
    of_versions,
    of_names,
    of_pictures,
    of_programs,
)
